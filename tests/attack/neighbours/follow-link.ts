import { read } from '../customer.ts';
import type { AttackedProduct } from '../product.ts';
import { type Answer, sendHttp } from '../send.ts';

/** Reads the whole file that an answer links to. Returns the status of the file, or that of an answer without a link. */
export async function followLink(product: AttackedProduct, answer: Answer | null): Promise<number | null> {
  if (answer?.status !== 200) return answer?.status ?? null;
  const link = linkIn(answer);
  if (link === undefined) return answer.status;
  const { pathname, search } = new URL(link);
  const file = await sendHttp(product.target, { method: 'GET', path: pathname + search, headers: {} });
  return file?.status ?? null;
}

function linkIn(answer: Answer): string | undefined {
  if (!answer.headers['content-type']?.startsWith('application/json')) return undefined;
  return (read(answer) as { readonly download_link?: string } | null)?.download_link;
}
