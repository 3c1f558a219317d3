/** A column to choose, with a value of its own, so that the right one is found by its contents. */
export interface ColumnOption {
  /** From 1. */
  readonly number: number;
  /** Tells it from every other column. */
  readonly name: string;
  readonly firstValue: string;
}

const valueLengthMax = 40;

export function columnOptions(
  rows: readonly (readonly string[])[],
  { withHeaders }: { readonly withHeaders: boolean },
): ColumnOption[] {
  const columnCount = Math.max(0, ...rows.map((row) => row.length));
  const [head = []] = rows;
  const body = withHeaders ? rows.slice(1) : rows;
  const names = Array.from(
    { length: columnCount },
    (_, index) => (withHeaders ? head[index]?.trim() : '') || `Column ${index + 1}`,
  );
  return names.map((name, index) => ({
    number: index + 1,
    name: names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (column ${index + 1})`,
    firstValue: (body.find((row) => row[index]?.trim())?.[index] ?? '').trim().slice(0, valueLengthMax),
  }));
}

/** More columns than this slow a browser down. */
const shownColumnsMax = 40;

/** Of a very wide table, the columns around the one that is read. */
export function shownColumns(columnCount: number, read: number): number[] {
  const first = Math.max(0, Math.min(read - shownColumnsMax / 2, columnCount - shownColumnsMax));
  return Array.from({ length: Math.min(columnCount, shownColumnsMax) }, (_, index) => first + index);
}

/** The column that a text names: by its name, or by its number. */
export function findColumn(options: readonly ColumnOption[], text: string): ColumnOption | undefined {
  const wanted = text.trim().toLowerCase();
  return (
    options.find(({ name }) => name.toLowerCase() === wanted) ??
    options.find(({ number }) => String(number) === wanted)
  );
}
