import { snackbar } from '../../../shared/components/snackbar.tsx';

/**
 * Copies a text that is still loading. Browsers allow that only right after a click, so the clipboard gets the promise.
 * Rejects when the text does not come. `name` completes 'Reveal the … and copy it yourself'.
 */
export async function copyToClipboard(text: Promise<string>, name: string): Promise<void> {
  const written = write(text);
  await text;
  if (await written) snackbar.success('Copied to clipboard!');
  // The browser refuses on pages without https, or when the person has forbidden it.
  else snackbar.error(`Your browser does not let us copy. Reveal the ${name} and copy it yourself.`);
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
