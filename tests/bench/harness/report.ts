/** A table with text aligned left and figures aligned right. */
export function renderTable(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const render = (cells: string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('   ')
      .trimEnd();
  return [render(head), widths.map((width) => '─'.repeat(width)).join('───'), ...rows.map(render)].join('\n');
}

export const integer = (value: number): string => Math.round(value).toLocaleString('en-US');
export const decimal = (value: number, digits = 2): string => value.toFixed(digits);

/** A limit for a figure of a suite. */
export interface Demand {
  what: string;
  figure: string;
  isMet: boolean;
}

export const atLeast = (what: string, figure: number, bound: number): Demand => ({
  what,
  figure: decimal(figure),
  isMet: figure >= bound,
});
export const atMost = (what: string, figure: number, bound: number): Demand => ({
  what,
  figure: decimal(figure),
  isMet: figure <= bound,
});

export function renderDemands(demands: Demand[]): string {
  return demands
    .map(({ what, figure, isMet }) => `${isMet ? 'met   ' : 'MISSED'}  ${what}: ${figure}`)
    .join('\n');
}
