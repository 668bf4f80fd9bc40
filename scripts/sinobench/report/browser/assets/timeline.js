// A recording as lanes over time: what is evaluated, redacted, said and predicted; spectrogram and sound where it has them.
"use strict";

{
  const el = sinobench.element;
  const GAPS_S = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600];
  const ZOOMS = [1, 2, 4, 8, 16, 32, 64];

  sinobench.clock = (ms) => {
    const minutes = Math.floor(ms / 60000);
    return `${minutes}:${((ms % 60000) / 1000).toFixed(2).padStart(5, "0")}`;
  };

  function lane(track, duration) {
    const bar = el("div", { class: `lane ${track.kind}`, role: "img", "aria-label": spoken(track) });
    for (const [name, [starts, ends]] of Object.entries(track.spans)) {
      starts.forEach((start, i) => bar.append(el("i", {
        class: `span ${classOf(track, name)}`,
        "data-start": start,
        "data-end": ends[i],
        "data-name": name,
        title: `${name} ${sinobench.clock(start)}–${sinobench.clock(ends[i])}`,
        style: `left:${(100 * start) / duration}%;width:${(100 * (ends[i] - start)) / duration}%`,
      })));
    }
    return bar;
  }

  function classOf(track, name) {
    if (track.name === "redacted") return "redaction";
    return { English: "english", Mandarin: "mandarin", strict: "strict", official: "official" }[name] ?? "unknown";
  }

  function spoken(track) {
    const parts = Object.entries(track.spans).map(([name, [starts, ends]]) => {
      const total = ends.reduce((sum, end, i) => sum + end - starts[i], 0);
      return `${name}: ${starts.length}, ${sinobench.clock(total)} in all`;
    });
    return `${track.name}: ${parts.join("; ") || "nothing"}`;
  }

  function ruler(duration, zoom) {
    const gap = GAPS_S.find((seconds) => (duration / 1000 / seconds) <= 9 * zoom) ?? GAPS_S.at(-1);
    const bar = el("div", { class: "lane ruler", "aria-hidden": "true" });
    for (let at = 0; at * 1000 < duration; at += gap) {
      bar.append(el("b", { style: `left:${(100 * at * 1000) / duration}%` }, sinobench.clock(at * 1000).replace(/\.?0+$/, "").replace(/:$/, ":00")));
    }
    return bar;
  }

  // The lanes of a recording; [start, end) in ms is marked and scrolled to, where given.
  sinobench.timeline = (shown, folder, marked = null) => {
    const { duration_ms: duration, tracks } = shown;
    const inner = el("div", { class: "inner" });
    const scroller = el("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": `timeline of ${shown.name}` }, inner);
    const names = el("div", { class: "names" }, el("span", { class: "ruler" }, "time"));
    const sound = shown.sound
      ? el("audio", { controls: "", preload: "none", src: `${folder}/${shown.sound}`, "aria-label": `sound of ${shown.name}` })
      : null;
    const head = el("div", { class: "head", hidden: sound ? null : "" });
    let zoom = 1;

    inner.append(ruler(duration, zoom));
    if (shown.image) {
      names.append(el("span", { class: "spectrogram" }, "mel spectrogram"));
      inner.append(el("img", { class: "lane spectrogram", src: `${folder}/${shown.image}`, alt: `mel spectrogram of ${shown.name}`, loading: "lazy" }));
    }
    for (const track of tracks) {
      names.append(el("span", { class: track.kind, title: track.name }, track.kind === "lid" ? `${track.name} (segments)` : track.name));
      inner.append(lane(track, duration));
    }
    if (marked) {
      const [start, end] = marked;
      inner.append(el("div", { class: "marked", style: `left:${(100 * start) / duration}%;width:${(100 * (end - start)) / duration}%` }));
    }
    inner.append(head);

    const place = () => (sound ? (100000 * sound.currentTime) / duration : 0);
    const scale = (to) => {
      zoom = to;
      inner.style.width = `${100 * zoom}%`;
      inner.firstChild.replaceWith(ruler(duration, zoom));
      less.disabled = zoom === ZOOMS[0];
      more.disabled = zoom === ZOOMS.at(-1);
      const middle = marked ? (marked[0] + marked[1]) / 2 : place() * duration / 100;
      scroller.scrollLeft = (middle / duration) * inner.clientWidth - scroller.clientWidth / 2;
    };
    const step = (by) => scale(ZOOMS[ZOOMS.indexOf(zoom) + by]);
    const less = el("button", { type: "button", "aria-label": "show more time", onclick: () => step(-1) }, "−");
    const more = el("button", { type: "button", "aria-label": "show less time", onclick: () => step(1) }, "+");

    if (sound) {
      sound.addEventListener("timeupdate", () => { head.style.left = `${place()}%`; });
      inner.addEventListener("click", (event) => {
        const box = inner.getBoundingClientRect();
        sound.currentTime = ((event.clientX - box.left) / box.width) * (duration / 1000);
        head.style.left = `${place()}%`;
      });
      if (marked) {
        sound.addEventListener("loadedmetadata", () => { sound.currentTime = marked[0] / 1000; }, { once: true });
      }
    }
    const legend = el("span", { class: "legend" });
    for (const [kind, text] of [["english", "English"], ["mandarin", "Mandarin"], ["strict", "evaluated (strict)"], ["official", "evaluated (official)"], ["redaction", "redacted"]]) {
      legend.append(el("i", { class: `span ${kind}`, "aria-hidden": "true" }), ` ${text} `);
    }
    const made = el(
      "div",
      { class: "timeline" },
      el("div", { class: "about" }, el("strong", {}, shown.name), el("span", {}, sinobench.clock(duration)), less, more, sound, shown.note ? el("span", { class: "note" }, shown.note) : null),
      el("div", { class: "lanes" }, names, scroller),
      el("div", {}, legend),
    );
    // Widths are known once the page holds it.
    requestAnimationFrame(() => {
      const wanted = marked ? duration / Math.max(8 * (marked[1] - marked[0]), 8000) : 1;
      scale(ZOOMS.findLast((each) => each <= Math.max(1, wanted)));
    });
    return made;
  };
}
