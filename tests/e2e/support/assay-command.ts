import { inject } from 'vitest';
import { runAssay } from '../../support/product-process.ts';

/** Runs an operator's command against the product under test, and returns what it prints. */
export function assay(...words: string[]): Promise<string> {
  const { dataFolder, port } = inject('product');
  return runAssay({ ASSAY_DATA: dataFolder, PORT: String(port) }, ...words);
}
