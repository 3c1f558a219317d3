const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** '512 bytes', '14 kB', '3.2 MB'. */
export function formatFileSize(bytes: number): string {
  if (bytes < KILOBYTE) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < MEGABYTE) return `${Math.min(999, Math.round(bytes / KILOBYTE))} kB`;
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
