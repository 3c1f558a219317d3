// What the pages do beyond reading. Without scripts they are whole all the same: the search form leads to a page of results, and
// the languages of an example are radio buttons.

const storage = {
  read(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Storage is closed to us: the choice lasts as long as the page.
    }
  },
};

// A button on each program that copies it.
for (const figure of document.querySelectorAll('figure[data-copy]')) {
  const code = figure.querySelector('code');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      // Browsers refuse on pages without https: the text is there to be selected.
      getSelection()?.selectAllChildren(code);
    }
  });
  button.addEventListener('blur', () => {
    button.textContent = 'Copy';
  });
  figure.append(button);
}

// One choice of language serves every example.
const languageKey = 'assay.docs.language';
function chooseLanguage(language) {
  for (const choice of document.querySelectorAll('.languages input')) {
    if (choice.value === language) choice.checked = true;
  }
}
const language = storage.read(languageKey);
if (language) chooseLanguage(language);
document.addEventListener('change', ({ target }) => {
  if (!target.matches('.languages input')) return;
  // The examples above change their height: what the reader looks at stays where it is.
  const before = target.getBoundingClientRect().top;
  chooseLanguage(target.value);
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  storage.write(languageKey, target.value);
});

// The colour scheme, shared with the web app.
const schemeKey = 'mantine-color-scheme-value';
const scheme = document.querySelector('.scheme');
if (scheme) {
  const select = scheme.querySelector('select');
  scheme.hidden = false;
  select.value = document.documentElement.dataset.scheme ?? 'auto';
  select.addEventListener('change', () => {
    storage.write(schemeKey, select.value);
    if (select.value === 'auto') delete document.documentElement.dataset.scheme;
    else document.documentElement.dataset.scheme = select.value;
  });
}

// 'On this page' marks the part that is being read, and closes after a choice if it covers the page.
const contents = document.querySelector('.contents');
if (contents) {
  const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const current = passed.at(-1) ?? headings[0];
    for (const [id, link] of links) {
      if (id === current?.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
  contents.addEventListener('click', ({ target }) => {
    if (target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
  });
}

// What opens above the text closes when the window becomes so wide that it is beside the text.
for (const [selector, width] of [
  ['.pages', '1080px'],
  ['.contents', '1224px'],
]) {
  const part = document.querySelector(selector);
  matchMedia(`(width >= ${width})`).addEventListener('change', ({ matches }) => {
    if (matches && part?.matches(':popover-open')) part.hidePopover();
  });
}

// 'Try it' makes the call of an example with a test key, which only this tab keeps.
const tryKey = 'assay.docs.test-key';
const keyInputs = [...document.querySelectorAll('.try [data-place="key"]')];
for (const input of keyInputs) {
  input.closest('.try').hidden = false;
  input.value = readTabKey();
  input.addEventListener('change', () => {
    for (const other of keyInputs) other.value = input.value;
    try {
      sessionStorage.setItem(tryKey, input.value.trim());
    } catch {
      // Storage is closed to us: the key lasts as long as the page.
    }
  });
}
function readTabKey() {
  try {
    return sessionStorage.getItem(tryKey) ?? '';
  } catch {
    return '';
  }
}

async function tryCall(form) {
  const { method, path } = form.dataset;
  const typedIn = (input) => input.value.trim();
  const key = typedIn(form.querySelector('[data-place="key"]'));
  // A live key spends credits, and must not be pasted into pages.
  if (!key.startsWith('assay_test_')) return 'Paste a test key. It starts with assay_test_.';
  let url = path;
  for (const input of form.querySelectorAll('[data-place="path"]'))
    url = url.replace(`{${input.name}}`, encodeURIComponent(typedIn(input)));
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll('[data-place="query"]'))
    if (typedIn(input) !== '') query.append(input.name, typedIn(input));
  const body = form.querySelector('[data-place="body"]')?.value;
  const answer = await fetch(`${url}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  return `Status ${answer.status}\n${isJson ? JSON.stringify(JSON.parse(text), null, 2) : text}`;
}

document.addEventListener('submit', async (event) => {
  const form = event.target.closest('.try form');
  if (!form) return;
  event.preventDefault();
  const button = form.querySelector('button');
  const output = form.querySelector('output');
  button.disabled = true;
  output.textContent = 'Sending …';
  output.textContent = await tryCall(form).catch(
    () => 'No answer came. Check your connection and try again.',
  );
  button.disabled = false;
});

// Results while the reader types: the same part of a page that the form leads to.
const form = document.querySelector('.search');
if (form) {
  const input = form.querySelector('input');
  const found = document.createElement('div');
  found.className = 'found';
  found.hidden = true;
  form.append(found);
  let waiting;
  let asked = 0;

  // An answer that is still on its way does not open it again.
  const close = () => {
    clearTimeout(waiting);
    asked += 1;
    found.hidden = true;
  };
  async function show() {
    const query = input.value.trim();
    asked += 1;
    const mine = asked;
    if (query === '') return close();
    const answer = await fetch(`${form.action}?${new URLSearchParams({ q: query })}`).catch(() => null);
    // A later question may have been answered first.
    if (!answer?.ok || mine !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const parts = page.querySelectorAll('main [role="status"], main .results');
    const walkedTo = found.contains(document.activeElement) && document.activeElement.href;
    found.replaceChildren(...parts);
    found.hidden = false;
    // A reader who is among the results stays at the same one, or is back in the field if it is gone.
    if (walkedTo) ([...found.querySelectorAll('a')].find((link) => link.href === walkedTo) ?? input).focus();
  }

  input.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 120);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close();
      input.focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || found.hidden) return;
    event.preventDefault();
    const stops = [input, ...found.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement);
    stops[(at + step + stops.length) % stops.length].focus();
  });
  found.addEventListener('click', close);
  document.addEventListener('click', ({ target }) => {
    if (!form.contains(target)) close();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !form.contains(relatedTarget)) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, select, textarea');
    const isShortcut = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isTyping || !isShortcut) return;
    event.preventDefault();
    input.focus();
  });
}
