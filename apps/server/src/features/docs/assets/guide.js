// A button on each example that copies it. Without scripts the pages are whole all the same.
for (const figure of document.querySelectorAll('figure.code')) {
  const code = figure.querySelector('code');
  const isPrinted = ['JSON', 'Prints'].includes(figure.querySelector('figcaption')?.textContent);
  if (!code || isPrinted) continue;
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
