"""What the speakers of the training corpora say, written for sinobench; nothing of it stands in the recordings."""

ENGLISH = """
the harbour was quiet before the first ferry arrived
she kept the letters in a wooden drawer beside the window
nobody in the village remembered who had built the bridge
after the storm the road was covered with branches and sand
he sold fresh bread on the corner until the end of summer
the old clock in the hall was always seven minutes late
they walked along the canal and talked about the journey
a small lamp was burning in the kitchen of the farmhouse
my uncle repaired bicycles in a workshop near the station
the teacher asked us to write about a place that we missed
two travellers shared their supper under an enormous oak
the museum closes early on the last Friday of the month
we measured the field twice and found the same result
her brother wanted to become a captain or an astronomer
the river carries clay and gravel down to the plain
in the morning the market smells of pepper and coffee
a letter without a stamp was lying on the door mat
the committee will meet again when the report is ready
snow fell during the night and the garden turned white
it took them an hour to carry the piano up the stairs
the gardener planted rows of beans behind the greenhouse
most of the passengers were asleep when the train stopped
he drew a map of the island from memory
the library lends music, maps and even garden tools
this valley has been famous for its apples since long ago
the engineer explained why the second pump had failed
"""

MANDARIN = """
今年的秋天比往年来得早一些
图书馆从下个月起延长开放时间
他每天早上沿着河边跑五公里
这座桥建成已经有一百多年了
科学家在海底发现了新的生物
公司决定把工厂搬到郊区
春节期间火车票非常紧张
她在大学里学习古代历史
市场上的蔬菜价格有所下降
昨天晚上北方下了一场大雪
经理要求大家按时提交报告
这条铁路连接了三个省份
许多年轻人喜欢在网上购物
医生建议他多休息少喝酒
我们的飞机将在下午两点起飞
博物馆展出了珍贵的书画作品
农民正在田里收割小麦
这部电影讲述了一个渔村的故事
会议结束以后记者采访了代表
城市里新增加了几条公交线路
他用三年时间翻译了这本小说
老城区的街道又窄又长
专家认为天气变化与海洋有关
球队在最后一分钟踢进一球
这种茶叶产自南方的山区
邻居家的院子里种着两棵枣树
"""

# Singapore English as in a national corpus of conversations.
SINGAPORE = """
actually I prefer to take the MRT because parking is so expensive
the queue at the hawker centre was damn long just now
last time we always go to the beach on Sunday evening
my office shifted to Jurong so now I must wake up earlier
I think the new phone not worth the price leh
can you help me to check what time the shop closes
she told me the chilli crab there is quite nice
next week got public holiday so we plan to go to Penang
wah the weather this few days really very hot
he is working from home so the internet must be stable
the exam was okay but the last question I don't know how to do
we ordered prata and iced Milo for the whole group
my cousin just got the keys to her new flat
I usually run around the reservoir after work
the bus came late again so I was almost soaked
"""

# Switches within a line, as two languages of one conversation: (language, part), …
SWITCHED = (
    (("E", "so yesterday I"), ("M", "跟我朋友去看房子")),
    (("M", "我觉得那个"), ("E", "project deadline"), ("M", "太赶了")),
    (("E", "my boss said"), ("M", "下个星期要开会")),
    (("M", "他们在"), ("E", "Orchard Road"), ("M", "逛了一整天")),
    (("E", "the lecture was okay but"), ("M", "教授讲得太快")),
    (("M", "你要不要一起去"), ("E", "the gym after work")),
    (("E", "actually the food there"), ("M", "不便宜，可是很好吃")),
    (("M", "因为下雨所以"), ("E", "the match was cancelled")),
)
