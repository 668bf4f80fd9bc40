// The page: filters, which the address keeps after #, the items that they leave, and keys.
"use strict";

{
  const el = sinobench.element;
  const SHOWN = 20;
  const TASKS = { g2p: "Cantonese G2P", csc: "Spelling check", lid: "Language identification", ld: "Language diarization" };
  const ALONE = { wrong: "it is wrong", right: "it is right", all: "all items" };
  const BESIDE = {
    differ: "one is right, the other wrong",
    only: "it is wrong, the other right",
    other: "it is right, the other wrong",
    both: "both are wrong",
    ...ALONE,
  };
  const ORDERS = { longest: "longest first", time: "as they follow each other" };
  // What a choice takes back of others.
  const RESET = {
    task: { corpus: "", kind: "", recording: "" },
    corpus: { kind: "", recording: "" },
    model: { kind: "" },
    other: { show: "" },
  };

  const selects = el("div", { class: "selects" });
  const search = el("input", { type: "search", id: "by-text", autocomplete: "off" });
  const status = el("p", { class: "status", role: "status" });
  const recording = el("div");
  const results = el("div", { class: "results" });
  const pager = el("nav", { class: "pager", "aria-label": "pages of items" });
  let corpora = [];
  let wanted = {};

  // What the address wants; what it does not say, or says of nothing that is here, is chosen for it.
  function read() {
    const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    const scores = corpora.map((each) => (
      4 * (each.task === given.task) + 2 * (each.corpus === given.corpus) + each.models.includes(given.model)
    ));
    const corpus = corpora[scores.indexOf(Math.max(...scores))];
    const model = corpus.models.includes(given.model) ? given.model : corpus.models[0];
    const other = corpus.models.includes(given.other) && given.other !== model ? given.other : "";
    const options = other ? BESIDE : ALONE;
    return {
      task: corpus.task,
      corpus: corpus.corpus,
      model,
      other,
      show: given.show in options ? given.show : Object.keys(options)[0],
      kind: given.kind ?? "",
      recording: corpus.recordings?.some(([name]) => name === given.recording) ? given.recording : "",
      order: corpus.recordings ? (given.order in ORDERS ? given.order : "longest") : "",
      text: given.text ?? "",
      page: Math.max(1, Number.parseInt(given.page, 10) || 1),
      item: /^\d+$/.test(given.item ?? "") && Number(given.item) < corpus.n ? given.item : "",
    };
  }

  function address(values) {
    const kept = Object.entries(values).filter(([name, value]) => value !== "" && !(name === "page" && value === 1));
    return `#${new URLSearchParams(kept)}`;
  }

  const change = (values) => { location.hash = address({ ...wanted, page: 1, item: "", ...values }); };

  function select(name, label, options) {
    const made = el("select", { id: `by-${name}` }, ...options.map(([value, text]) => el("option", { value }, text)));
    made.value = wanted[name];
    made.addEventListener("change", () => change({ ...RESET[name], [name]: made.value }));
    return el("label", { for: `by-${name}` }, label, made);
  }

  function places() {
    const tasks = Object.entries(TASKS).filter(([task]) => corpora.some((each) => each.task === task));
    const ofTask = corpora.filter(({ task }) => task === wanted.task);
    return [
      select("task", "Task", tasks),
      select("corpus", "Corpus", ofTask.map((each) => [each.corpus, each.title])),
    ];
  }

  // Of a confidential corpus: how often each model errs, and how.
  function withheld(corpus) {
    filled(places());
    recording.replaceChildren();
    turns(1, 1);
    say("The items of this corpus are confidential, as its entry says.");
    results.replaceChildren(...corpus.models.map((model, m) => el(
      "article",
      { class: "item", tabindex: "-1" },
      el("h3", {}, model),
      el("ul", {}, ...corpus.amounts[m].map(([kind, amount]) => el("li", {}, `${kind}: ${amount}`))),
    )));
  }

  // Of a corpus without gold: what models predicted in a recording, over time.
  async function predicted(corpus, own) {
    const names = corpus.recordings.map(([name]) => name);
    wanted.recording ||= names[0];
    const timeline = await sinobench.recordingOf(corpus, names.indexOf(wanted.recording));
    if (own !== turn) return;
    filled([...places(), select("recording", "Recording", names.map((name) => [name, name]))]);
    recording.replaceChildren(timeline);
    turns(1, 1);
    say("This corpus has no gold: what models predicted stands alone.");
    results.replaceChildren();
  }

  function filled(chosen) {
    const focused = document.activeElement.id;
    selects.replaceChildren(...chosen);
    if (focused) document.getElementById(focused)?.focus();
  }

  function filters(corpus) {
    const models = corpus.models.map((model) => [model, model]);
    const counted = wanted.show === "other" ? wanted.other : wanted.model;
    const kinds = corpus.kindsOf(corpus.models.indexOf(counted)).map(([kind, n]) => {
      const [whole, which] = kind.split(": ");
      return [kind, `${which ? `\u2003${which}` : whole} (${n.toLocaleString("en")})`];
    });
    if (wanted.kind && !kinds.some(([kind]) => kind === wanted.kind)) kinds.push([wanted.kind, `${wanted.kind} (0)`]);
    const speech = !corpus.recordings ? [] : [
      select("recording", "Recording", [["", "all"], ...corpus.recordings.map(([name]) => [name, name])]),
      select("order", "Order", Object.entries(ORDERS)),
    ];
    filled([
      ...places(),
      select("model", "Model", models),
      select("other", "Beside", [["", "no other model"], ...models.filter(([model]) => model !== wanted.model)]),
      select("show", "Where", Object.entries(wanted.other ? BESIDE : ALONE)),
      select("kind", "Kind of error", [["", "any"], ...kinds]),
      ...speech,
    ]);
    if (search !== document.activeElement) search.value = wanted.text;
  }

  let turn = 0;

  async function update() {
    const own = ++turn;
    results.setAttribute("aria-busy", "true");
    wanted = read();
    const corpus = corpora.find((each) => each.task === wanted.task && each.corpus === wanted.corpus);
    try {
      if (!corpus.page) {
        if (corpus.recordings) await predicted(corpus, own);
        else withheld(corpus);
        return;
      }
      await corpus.open();
      if (own !== turn) return;
      filters(corpus);
      const number = wanted.recording ? corpus.recordings.findIndex(([name]) => name === wanted.recording) : null;
      const found = wanted.item ? [Number(wanted.item)] : await corpus.choose(
        {
          ...wanted,
          model: corpus.models.indexOf(wanted.model),
          other: wanted.other ? corpus.models.indexOf(wanted.other) : null,
          recording: number,
        },
        (n) => say(`Reading ${n.toLocaleString("en")} of ${corpus.n.toLocaleString("en")} items…`),
      );
      if (own !== turn || found === null) return;
      const pages = Math.max(1, Math.ceil(found.length / SHOWN));
      const page = Math.min(wanted.page, pages);
      const items = await Promise.all(found.slice((page - 1) * SHOWN, page * SHOWN).map((each) => corpus.item(each)));
      const timeline = number === null ? [] : [await sinobench.recordingOf(corpus, number)];
      if (own !== turn) return;
      recording.replaceChildren(...timeline);
      const models = wanted.other ? [wanted.model, wanted.other] : corpus.models;
      results.className = `results ${wanted.task}`;
      results.replaceChildren(...items.map((item) => (
        sinobench.card(corpus, item, models, address({ ...wanted, item: item.number, page: 1 }))
      )));
      turns(page, pages);
      say(`${found.length.toLocaleString("en")} of ${corpus.n.toLocaleString("en")} items${lasting(corpus, found)}`);
      if (wanted.item) status.append(" ", el("button", { type: "button", onclick: () => change({}) }, "show the others"));
    } catch (error) {
      say(error.message);
      results.replaceChildren();
    } finally {
      if (own === turn) results.setAttribute("aria-busy", "false");
    }
  }

  function lasting(corpus, found) {
    return corpus.ms ? `, ${sinobench.clock(found.reduce((sum, number) => sum + corpus.ms[number], 0))} in all` : "";
  }

  function say(text) {
    status.textContent = text;
  }

  function turns(page, pages) {
    const turned = (to, text, label) => el(
      "button",
      { type: "button", "aria-label": label, disabled: to < 1 || to > pages || to === page ? "" : null, onclick: () => { change({ page: to }); status.scrollIntoView(); } },
      text,
    );
    pager.hidden = pages === 1;
    pager.replaceChildren(
      turned(1, "«", "first page"),
      turned(page - 1, "‹", "page before"),
      el("span", {}, `page ${page.toLocaleString("en")} of ${pages.toLocaleString("en")}`),
      turned(page + 1, "›", "next page"),
      turned(pages, "»", "last page"),
    );
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA|AUDIO)$/.test(event.target.tagName)) return;
    const items = [...results.children];
    const step = { j: 1, k: -1 }[event.key];
    if (step) {
      const at = items.indexOf(document.activeElement.closest(".item"));
      items[Math.min(items.length - 1, Math.max(0, at + step))]?.focus();
    } else if (event.key === "/") {
      search.focus();
    } else if (event.key === "n" || event.key === "p") {
      pager.querySelector(`[aria-label="${event.key === "n" ? "next page" : "page before"}"]`)?.click();
    } else {
      return;
    }
    event.preventDefault();
  }

  async function start() {
    const host = document.getElementById("browser");
    const listed = await sinobench.load("index");
    corpora = listed.map((entry) => new sinobench.Corpus(entry));
    if (!corpora.length) return;
    host.replaceChildren(
      el("form", { class: "filters", "aria-label": "filters" }, selects, el("label", { for: "by-text" }, "Text", search)),
      status,
      recording,
      results,
      pager,
    );
    host.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
    let timer;
    search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        history.replaceState(null, "", address({ ...wanted, page: 1, item: "", text: search.value }));
        update();
      }, 200);
    });
    addEventListener("hashchange", update);
    addEventListener("keydown", onKey);
    await update();
  }

  start();
}
