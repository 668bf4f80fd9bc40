// An item of each task as elements.
"use strict";

{
  const el = sinobench.element;

  const verdict = ({ right, known, kinds }) => {
    if (!known) return el("span", { class: "verdict unknown" }, "no outcome");
    return right
      ? el("span", { class: "verdict right" }, "✓ right")
      : el("span", { class: "verdict wrong" }, `✗ ${kinds.join("; ")}`);
  };

  const row = (name, ...content) => el("div", { class: "row" }, el("dt", {}, name), el("dd", {}, ...content));
  const spoken = (bits) => ["no speech", "English", "Mandarin", "English and Mandarin"][bits];
  const other = { English: "Mandarin", Mandarin: "English" };

  const VIEWS = {
    g2p: {
      head: (item) => [row("sentence", sinobench.sentence(item.text, item.position)), row("reading", (item.labels ?? []).join(" / "), item.pos ? el("small", {}, ` ${item.pos}`) : "")],
      answer: (item, given) => sinobench.syllable(given.answer ?? item.labels[0], given.kinds),
    },
    csc: {
      head: (item) => [row("input", sinobench.corrections.input(item.text, item.golds[0])), ...item.golds.map((gold) => row("correction", sinobench.corrections.gold(item.text, gold)))],
      answer: (item, given) => sinobench.corrections.answer(item.text, item.golds[0] ?? item.text, given.answer ?? item.golds[0] ?? ""),
    },
    lid: {
      head: (item) => [row("spoken", `${item.language}, ${((item.end_ms - item.start_ms) / 1000).toFixed(2)} s`)],
      answer: (item, given) => `${given.right ? item.language : other[item.language]} (score ${given.answer})`,
    },
    ld: {
      head: (item) => [row("spoken", `${spoken(item.language)}, ${((item.end_ms - item.start_ms) / 1000).toFixed(2)} s`)],
      answer: (item, given) => spoken(given.answer),
    },
  };

  // The item as a card; models: those whose answers stand side by side.
  sinobench.card = (corpus, item, models, link) => {
    const view = VIEWS[corpus.task];
    const answers = el("div", { class: "systems" });
    for (const model of models) {
      const given = item.given.find((each) => each.model === model);
      answers.append(el("div", { class: "answer", "data-model": model }, el("h4", {}, model), given.known ? view.answer(item, given) : "", verdict(given)));
    }
    const recording = corpus.recordings && corpus.recordingOf(item.number);
    const title = item.id ?? `${corpus.recordings[recording][0]} ${sinobench.clock(item.start_ms)}–${sinobench.clock(item.end_ms)}`;
    const card = el(
      "article",
      { class: "item", tabindex: "-1", "data-item": item.number },
      el("h3", {}, el("a", { href: link }, title)),
      el("dl", {}, ...view.head(item)),
      answers,
    );
    if (corpus.recordings) card.append(opened(corpus, recording, [item.start_ms, item.end_ms]));
    return card;
  };

  // A recording's timeline, made when it is opened.
  function opened(corpus, number, marked) {
    const details = el("details", {}, el("summary", {}, "timeline of the recording"));
    details.addEventListener("toggle", async () => {
      if (details.open && !details.querySelector(".timeline")) details.append(await sinobench.recordingOf(corpus, number, marked));
    });
    return details;
  }

  sinobench.recordingOf = async (corpus, number, marked = null) => {
    const shown = await sinobench.load(`recordings/${corpus.corpus}/${number}`);
    return sinobench.timeline(shown, `browser/recordings/${corpus.corpus}`, marked);
  };
}
