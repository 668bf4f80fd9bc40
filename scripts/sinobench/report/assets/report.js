// Tables that sort, filter and search; charts; the theme; buttons that copy.
(() => {
  const root = document.documentElement;
  const isDark = () => root.dataset.theme === "dark";

  // The theme

  const button = document.getElementById("theme");
  const showTheme = () => {
    button.setAttribute("aria-pressed", isDark());
    root.classList.toggle("dark", isDark());
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {
      // Then it holds for this page.
    }
    showTheme();
    drawCharts();
  });
  showTheme();

  // Tables

  const { jQuery } = window.sinobench_tables;
  const chooser = (table, column, name) => {
    const label = document.createElement("label");
    const select = document.createElement("select");
    label.append(`${name} `, select);
    select.append(new Option("all", ""));
    const values = new Set(column.nodes().toArray().map((cell) => cell.textContent));
    for (const value of values) select.append(new Option(value));
    select.addEventListener("change", () => {
      column.search(select.value ? (text) => text.trim() === select.value : "").draw();
    });
    return values.size > 1 ? label : null;
  };
  for (const table of document.querySelectorAll("table.data")) {
    const many = Number(table.dataset.rows) > 25;
    const some = Number(table.dataset.rows) > 5;
    const made = jQuery(table).DataTable({
      order: [],
      paging: many,
      pageLength: 25,
      searching: true,
      info: many,
      autoWidth: false,
      layout: { topStart: many ? "pageLength" : null, topEnd: some ? "search" : null },
    });
    const wrapper = made.table().container();
    wrapper.querySelector("nav")?.setAttribute("aria-label", `pages of ${table.getAttribute("aria-label")}`);
    const choosers = document.createElement("div");
    choosers.className = "choosers";
    [...table.tHead.rows[0].cells].forEach((cell, index) => {
      if ("chosen" in cell.dataset && some) {
        const made_for = chooser(made, made.column(index), cell.textContent.trim());
        if (made_for) choosers.append(made_for);
      }
    });
    if (choosers.children.length) wrapper.prepend(choosers);
    const scroller = document.createElement("div");
    scroller.className = "scroller";
    scroller.tabIndex = 0;
    scroller.setAttribute("role", "region");
    scroller.setAttribute("aria-label", `${table.getAttribute("aria-label")}, scrolls sideways`);
    table.before(scroller);
    scroller.append(table);
  }

  // Texts to copy

  // Pages of a table come and go, so the document listens.
  document.addEventListener("click", async (event) => {
    const copy = event.target.closest?.("button.copy");
    if (!copy) return;
    const source = copy.parentElement.querySelector("span");
    try {
      await navigator.clipboard.writeText(source.textContent);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(source);
      copy.textContent = "Selected: copy it with your keyboard";
    }
    setTimeout(() => (copy.textContent = "Copy"), 2000);
  });

  // Charts

  const look = () => {
    const [ink, faint] = isDark() ? ["#e6e6e6", "#444"] : ["#222", "#ddd"];
    const text = { labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" };
    return {
      background: isDark() ? "#14171c" : "#ffffff",
      font: "system-ui, sans-serif",
      view: { stroke: faint },
      axis: { ...text, gridColor: faint, domainColor: faint, tickColor: faint, labelLimit: innerWidth < 600 ? 110 : 260 },
      legend: { ...text, labelLimit: 260, columns: Math.max(1, Math.floor(innerWidth / 300)) },
      header: text,
      title: { color: ink },
      text: { color: ink },
      range: {
        category: isDark()
          ? ["#7fb3ff", "#ffb347", "#7ddc9a", "#ff8fa3", "#c9a7ff", "#5fd7d7", "#e8e06a", "#f0a0e0"]
          : ["#1f5fbf", "#b85c00", "#1b7a3d", "#c2185b", "#6a3fb5", "#00757a", "#7a6a00", "#8e2a82"],
      },
    };
  };
  async function drawCharts() {
    root.dataset.drawn = "false";
    for (const figure of document.querySelectorAll("figure.chart")) {
      const spec = JSON.parse(figure.querySelector("script").textContent);
      figure.querySelector(".choosers").replaceChildren();
      const options = { renderer: "svg", config: look(), actions: false, bind: figure.querySelector(".choosers") };
      const { view } = await window.vegaEmbed(figure.querySelector(".drawing"), spec, options);
      for (const save of figure.querySelectorAll("button[data-as]")) {
        save.onclick = async () => {
          const link = document.createElement("a");
          link.href = await view.toImageURL(save.dataset.as, 2);
          link.download = `${figure.dataset.name}.${save.dataset.as}`;
          link.click();
        };
      }
    }
    root.dataset.drawn = "true";
  }
  drawCharts();
})();
