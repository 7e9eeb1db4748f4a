// Before anything is painted: the theme that was chosen here, or the system's. Kept apart, because inline scripts are
// forbidden.
const chosen = localStorage.getItem("nanobot.theme");
const isDark =
  chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset.theme = isDark ? "dark" : "light";
