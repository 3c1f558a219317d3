import { EncodingProbe, type FileEncoding } from '../../platform/csv/file-encoding.ts';
import { RefusedFile } from './refused-file.ts';

export function requireText(probe: EncodingProbe): FileEncoding {
  const found = probe.finish();
  if (found.kind === 'text') return found.encoding;
  throw new RefusedFile({ problem: 'file_not_text', looksLike: found.looksLike });
}

/** Of bytes that are all there. Fails if they are no text. */
export function encodingOf(bytes: Buffer): FileEncoding {
  const probe = new EncodingProbe();
  probe.push(bytes);
  return requireText(probe);
}
