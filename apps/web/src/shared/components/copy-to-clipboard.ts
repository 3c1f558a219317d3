import { snackbar } from './snackbar.tsx';

/**
 * Copies a text that is still loading. Browsers allow that only right after a click, so the clipboard gets the promise.
 * Rejects when the text does not come. `otherWay` says what to do where the browser does not let us copy.
 */
export async function copyToClipboard(text: Promise<string>, otherWay: string): Promise<void> {
  const written = write(text);
  await text;
  if (await written) snackbar.success('Copied to clipboard!');
  // The browser refuses on pages without https, or when the person has forbidden it.
  else snackbar.error(`Your browser does not let us copy. ${otherWay}`);
}

async function write(text: Promise<string>): Promise<boolean> {
  try {
    const plain = text.then((known) => new Blob([known], { type: 'text/plain' }));
    plain.catch(() => {});
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })]);
    return true;
  } catch {
    return false;
  }
}
