import { snackbar } from '../../../shared/components/snackbar.tsx';

/** `name` completes 'Reveal the … and copy it yourself'. */
export async function copyToClipboard(text: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    snackbar.success('Copied to clipboard!');
  } catch {
    // The browser refuses on pages without https, or when the person has forbidden it.
    snackbar.error(`Your browser does not let us copy. Reveal the ${name} and copy it yourself.`);
  }
}
