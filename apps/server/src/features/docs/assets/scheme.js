// Runs before the first paint. The key is the one of the web app, which is at the same origin, so that one choice serves both.
try {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.scheme = chosen;
} catch {
  // Storage is closed to us: the system decides.
}
