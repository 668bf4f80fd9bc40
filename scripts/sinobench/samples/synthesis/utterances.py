"""What parents and children say: one scene a line, written for sinobench.

A scene is one utterance, or several in a row: ``/`` parts utterances with a pause, ``//`` almost without one, and the
one after ``/~`` begins before the other ends. An utterance begins with its speaker: P parent, C child, B brother,
G grandmother, H helper. Its grains are parted by ``|``; each begins with its original label:

    E English  M Mandarin  R Red Dot  L Languageless  V vocal  S non-vocal  U inaudible  Y Malay  H Hokkien

``> E`` at a grain's end is the label that the recoding rules give it: E, M, X (non-evaluated), N (NON_SPEECH), ``?``
(the speaker's main language in the recording). ``*`` says that the label is the utterance's longest language, ``=``
that two are equally long and the preceding one wins: the synthesizer checks the first and makes the second true. Labels
that follow from the grain alone are left out.
Redacted: ``[…]`` BABYNAME, ``[+…]`` ADULTNAME, ``[!…]`` CONFIDENTIAL, ``[?…]`` :PROTECTION-CHECK. Names are invented.
After ``#`` stand the situations that the scene shows: rules of the recoding (R) and of redaction (P), with a suffix.
"""

# Utterances in one language: the bulk of every recording.
PLAIN = """
P E look at the big red bus
P E where is the little rabbit hiding?
P E can you see the moon up there?
P E the bear is having his breakfast now
P E let us turn the page together
P E what colour is this umbrella?
P E how many ducks are in the pond?
P E one, two, three, four, five ducks
P E be gentle with the book please
P E the cat is sleeping under the table
P E do you want to read this one again?
P E he is very hungry, so he ate everything
P E which one do you like best?
P E that is a very tall giraffe
P E it is raining, they need to run home
P E put your finger here
P E very good, that is right
P E no, that is not a dog, it is a fox
P E the baby bird is calling for its mummy
P E come and sit beside me
P E what sound does the cow make?
P E the train is going over the bridge
P E are you tired already?
P E he lost his shoe in the mud
P E the sun is coming out again
P E who is knocking on the door?
P E the monkey wants another banana
P E we saw this at the zoo last week
P E can you help me find the key?
P E now they are all going to sleep
P E the wind blew his hat away
P E that was a long story
P E hold it with both hands
P E the fish swims very fast
P E is it big or is it small?
P E the elephant is splashing water
P E let us count the stars
P E she is wearing a yellow dress
P E first wash your hands, then we eat
P E can you say thank you?
P E the snail is slow but it never stops
P E look, a rainbow behind the hill
P E do you remember what happens next?
P E there is somebody inside the box
P E the farmer is feeding the chickens
P E this page is a bit torn
P E the spider is making a web
P E now you tell me the story
P M 你看这只小兔子
P M 小熊在哪里？
P M 我们一起来数一数
P M 一二三四五，五只鸭子
P M 下雨了，他们没有雨伞
P M 妈妈在厨房里做饭
P M 这个是什么颜色？
P M 红色的，对不对？
P M 小猫睡着了，轻轻的
P M 你要不要再看一次？
P M 他肚子很饿，什么都吃
P M 月亮出来了，该睡觉了
P M 大象的鼻子好长
P M 慢慢来，不要急
P M 谁在敲门呢？
P M 小鸟找不到它的妈妈
P M 把书翻过来
P M 你喜欢哪一个？
P M 火车开过大桥了
P M 他们一起去公园玩
P M 这只狗的尾巴是白色的
P M 太阳下山了
P M 你还记得他叫什么吗？
P M 香蕉是黄色的
P M 我们明天再看吧
P M 他的鞋子掉进水里了
P M 乌龟走得很慢，可是它不停
P M 坐好，我讲给你听
P M 老师教你唱什么歌？
P M 你的手脏了，先去洗手
P M 这朵花真漂亮
P M 小鱼在水里游来游去
P M 风把帽子吹走了
P M 奶奶煮了很好吃的面
C E a dog
C E I want this one
C E the bus is going
C E where is he?
C E more please
C E that one is mine
C E it is blue
C E I can see it
C E why is he crying?
C E big one
C E he is sleeping
C E I do not like the wolf
C E can I turn the page?
C E it is under there
C E he fell down
C E again
C E what is this?
C E three ducks
C E the moon is yellow
C E I am not tired
C M 我要看这个
C M 小狗狗
C M 在这里
C M 为什么他哭了？
C M 好大的鱼
C M 我不要
C M 妈妈，你看
C M 还要再看
C M 蓝色的车
C M 他睡觉了
C M 月亮在天上
C M 我会数，一二三
C M 猫咪在吃鱼
C M 这是我的
"""

# Switches inside the utterance, and neutral, non-speech and non-evaluated grains.
MIXED = """
P E look at this one | M 这是什么？ # switch
P E the caterpillar is very hungry | M 他吃了很多东西 # switch
P M 你看这个 | E elephant # switch
P M 这个是 | E triangle | M 对不对？ # switch
P M 我们去坐 | E bus | M 好不好？ # switch
P E do you want | M 苹果 | E or do you want an orange? # switch
P M 他很 | E tired | M 所以他要睡觉 # switch
P E this is the | M 月亮 | E and these are the stars # switch
P M 小兔子说 | E good night everybody # switch
P E he said | M 我不要回家 # switch
P M 你要 | E strawberry | M 还是要香蕉？ # switch
P E what is this in Mandarin? | M 蝴蝶 # switch
P M 快点 | E we are going to be late # switch
P E now turn over | M 翻过来 | E very good # switch
P M 那个 | E dinosaur | M 很大 | E right? # switch
P E count with me | M 一二三四 # switch
P M 不要撕 | E please be gentle # switch
P E the bear went over the mountain | M 去看他的朋友 # switch
C M 我要 | E ice cream # switch
C E look mummy | M 大象 # switch
C M 这个 | E car | M 是我的 # switch
C E I want | M 那个球 # switch
P M 这样它就不会淋到雨 | R :d:lor > M # R1
P E this is lightning | R :d:hor > E # R1
P E the rabbit is so fast | R :d:leh > E # R1
P M 他不见了 | R :d:lor > M # R1
P E you must share with him | R :d:mah > E # R1
P M 好吃 | R :d:hor > M | M 还要不要？ # R1
C E my turn | R :d:lah > E # R1
C M 没有了 | R :d:lor > M # R1
P E finish already | R :d:lor > E | M 我们再看另外一本吧 # R1-between switch
P M 不是这个 | R :d:lah > M | E it is the other one # R1-between switch
P E cannot | R :d:meh > E | M 当然可以，你试试看 # R1-between switch
P E this one is so funny | V :v:laugh | R :d:hor > E | M 他掉下去了 # R1-between R4 switch
P R :d:eh > E | E that one is not for you # R2
P R :d:wah > M | M 好大的鲸鱼 # R2
P R :d:eh > M | L oh > M | M 你怎么知道？ # R2 R2-run
C R :d:wah > E | E so many balloons # R2
P E this one is yours | L mm > E | R :d:lah > E # R3
P M 我们去喝 | R kopi > M | R :d:lor > M # R3
P E the end | L ah > E | R :d:hor > E | L oh > M* | M 现在我们看另外一本有恐龙的书 # R3 R6 switch
P M 睡觉了 | R :d:lor > M | L mm > E* | E you can read it again tomorrow morning # R3 R6 switch
P E let us go | R :d:lah > E | L ah > E | R :d:lah > E | M 走吧 # R3 R1-between switch
P E give me your hand | R :d:ah > E | L mm > E # R3 R5-last
P E look at his face | V :v:laugh | L oh > E # R4 R5-last
P L wow > M | S :s:clap | M 你好厉害 # R4 R5-first
P M 敲敲门 | S :s:knock | L eh > M | M 谁在里面？ # R4 R5-between
P E clap your hands | S :s:clap | E very good # R9
P E hm hm hm goes the bee | V :v:hum | M 嗡嗡嗡，蜜蜂飞来了 # R9 switch
P L oh > M | M 你看 # R5-first
P L oh > E | E what is that? # R5-first
P L aiyo > E | E the milk is all over the floor # R5-first
P L mm > M | M 再翻一页 # R5-first
P R makan > E | E time, come and eat # R5-first
C L papa > E | E come here # R5-first
C L mama > M | M 抱抱我 # R5-first
P E the story is finished | L mm > E # R5-last
P M 你说对了 | L wow > M # R5-last
P E say good night to | L papa > E # R5-last
C M 我也要 | L mama > M # R5-last
P E this curry puff is so | R shiok > E # R5-last
P E yes | L ah > E | E that one # R5-between
P M 他 | L oh > M | M 找到了 # R5-between
P E go to | L papa > E | E and give him the ball # R5-between
P M 叫 | L mama > M | M 来看 # R5-between
P E we all | R makan > E | E together at the table # R5-between
C E I | L mm > E | E want that # R5-between
P E now | L oh > M* | M 小兔子要回家找它的妈妈了 # R6 switch
P M 对 | L mm > E* | E that is the one we saw at the library yesterday # R6 switch
P E the little bear was looking everywhere for | L mama > E* | M 找不到 # R6 switch
P M 他跑到很远很远的地方去找 | L papa > M* | E right? # R6 switch
P E the fox | L oh > M* | M 狐狸跑到山上去找吃的东西 | L mm > M* | E you know? # R6 switch
P E we sit down and | R makan > E* | R paiseh > E* | M 好不好？ # R6 switch
C E I | L eh > M* | M 要看那个大大的恐龙 # R6 switch
P E look here | L oh > E= | M 你看这里 # R6-tie switch
P M 一起来 | L mm > M= | E let us do it # R6-tie switch
P Y mari kita makan dulu # R9
P Y jangan lari, nanti jatuh # R9
P H lu chiak pa boh # R9
P H mai an neh la # R9
P E this one is grandma's | H ah ma eh # R9 switch
P M 你要说 | Y terima kasih # R9 switch
P Y tengok | L oh > X | Y ada kucing di situ # R7-between
P L eh > X | Y cepat sikit, kita nak balik # R7-first
P Y sudah habis makan | L mm > X # R7-last
P E come | L oh > X* | Y mari kita tengok buku cerita yang baru ini # R7-longest switch
P E she went home to see her old grandfather | L mm > E* | H bo lang # R7-longest switch
P Y baik | L ah > M* | M 那我们把这本书看完再去睡觉 # R7-longest switch
P L oh > ? # R8
P L mm > ? # R8
P L wow > ? | L ah > ? # R8
P R shiok > ? | R :d:ah > ? # R8
P L oh > ? | V :v:laugh # R8
C L mama > ? # R8
C L papa > ? # R8
C L mm > ? # R8
C R :d:wah > ? # R8
C V :v:babble # R9
C V :v:cry # R9
C V :v:laugh # R9
C V :v:babble # R9
C V :v:cough # R9
P V :v:laugh # R9
P V :v:hum # R9
P U ## # R9
C U ### # R9
P E ## > N # R9-text
P E look at the frog | U ## | E in the pond # R9
P M 你听 | S :s:knock | M 有人来了 # R9
P Y jangan lari, nanti jatuh kat situ /~ C E I want to run # overlap-non-evaluated
P E do not touch, it is very hot /~ C H sio, sio, mai bong # overlap-non-evaluated
C M 我要吃饼干，我要吃饼干 /~ P Y sudah malam, esok saja # overlap-non-evaluated
P E and then they all went home together /~ C M 我也要回家 # overlap-different
P M 他们一起回家睡觉了 /~ C M 再见，再见 # overlap-same
P E the baby is laughing at the funny duck /~ C V :v:laugh # overlap-non-speech R9
"""

# Personal information.
REDACTED = """
P E [Ah Meng] come and sit down # P-part
P M [小玲]快过来看 # P-part
P E this is the book that [+Auntie Rosnah] gave you # P-part
P M 我们住在[!榕树路十二座] # P-part
P E your birthday is on [!the ninth of March] # P-part
P E say hello to [?Uncle Raju] # P-part
C E [Jun Wei] took my ball # P-part
P M 我们去找 | E [Emily] > M | M 好不好？ # P1-equal R4
P E shall we call | M [小龙] > E | E to come over? # P1-equal R4
P E [Benjamin] > M | M 你在哪里？ # P1-first
P M [阿明] > E | E do not throw your food # P1-first
P M 这个送给 | E [Natalie] > M # P1-last
P E go and play with | M [小玲] > E # P1-last
P E call | Y [+Pak Samad] > M* | M 叫他来和我们一起吃晚饭 # P1-different switch
P M 你和 | E [Clarissa] > E* | E are going to the swimming pool this afternoon # P1-different switch
P E give him one | Y [+Pak Samad] > E= | M 给他一个 # P1-tie switch
P M [小玲] > N # P1-only
P E [Jun Wei] > N # P1-only
C E [Emily] > N # P1-only
P E come here | M [小龙] > E | R :d:lor > E # R4 R1 P1-last
P L oh > M | E [Emily] > M | M 你来了 # R4 R5-first
P E his name is [Alexander Benjamin Christopher Montgomery] | L oh > M* | M 你认识他吗？ # R4-part R6 switch
P M 这是[阿明和小龙还有小玲的老师] | L mm > E* | E she is very kind # R4-part R6 switch
P E his name is [Ah] | M [明] > M* | M 他住在我们家楼下的大房子里 # P1-different P-chunks switch
P E his big sister is [Clarissa] // P E [Anne] lives next door # P-across
P M 他的名字叫[小] // P M [龙]，你记得吗？ # P-across
P E this is [Benja] // C E [min] > N # P-across P1-only
"""

# A third person, who says nothing else in the recording: that is what the labels of the last utterance rest on.
VISITS = """
B E one two three four | L oh > E / B M 这里 | S :s:clap | M 那里 / B L mm > M # R8-tie-grains R5-last
G M 来吃饭吧 / G E come and eat / G L aiyo > ? # R8-tie-file
H Y saya tak tahu / H Y sudah lewat | V :v:cough / H L oh > ? # R8-no-target
"""
