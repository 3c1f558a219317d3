export interface ChartPoint {
  readonly label: string;
  readonly count: number;
}

/** Where everything of the line chart stands, in pixels of its box. */
export interface LineLayout {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly isTilted: boolean;
  readonly places: readonly { readonly x: number; readonly y: number }[];
  /** The height of a count on the axis at the left. */
  readonly heightOf: (count: number) => number;
}

const countWidth = 40;
/** Half of a date's label, which stands below the end of the line. */
const edge = 20;
const topRoom = 10;
const [levelRoom, tiltedRoom] = [28, 46];
const labelWidth = 44;

interface LineBox {
  readonly width: number;
  readonly height: number;
  readonly highestTick: number;
  /** The points whose dates are named. */
  readonly ticks: readonly number[];
}

/** For a chart of this size; labels of dates that would touch each other are tilted. */
export function layOut(
  points: readonly ChartPoint[],
  { width, height, highestTick, ticks }: LineBox,
): LineLayout {
  const [left, right] = [countWidth + edge, Math.max(countWidth + edge, width - edge)];
  const step = points.length > 1 ? (right - left) / (points.length - 1) : 0;
  const gaps = ticks.slice(1).map((tick, index) => (tick - (ticks[index] ?? 0)) * step);
  const isTilted = Math.min(...gaps) < labelWidth;
  const [top, bottom] = [topRoom, height - (isTilted ? tiltedRoom : levelRoom)];
  const heightOf = (count: number) => bottom - (count / highestTick) * (bottom - top);
  const places = points.map(({ count }, index) => ({ x: left + index * step, y: heightOf(count) }));
  return { left, right, top, bottom, isTilted, places, heightOf };
}

/** The point that is nearest to a place on the x axis. */
export function nearestPoint({ left, right, places }: LineLayout, x: number): number {
  const share = right > left ? (x - left) / (right - left) : 0;
  return Math.min(places.length - 1, Math.max(0, Math.round(share * (places.length - 1))));
}

export const linePath = ({ places }: LineLayout): string =>
  places.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** The same line, closed along the bottom. */
export function areaPath(layout: LineLayout): string {
  const { places, bottom } = layout;
  const [first, last] = [places[0], places.at(-1)];
  return first && last ? `${linePath(layout)}V${bottom}H${first.x.toFixed(1)}Z` : '';
}

/** Which points are named below the axis: the first, the last, and others spread evenly between them. */
export function ticksOf(pointCount: number, tickCount: number): number[] {
  const count = Math.min(tickCount, pointCount);
  const step = count > 1 ? (pointCount - 1) / (count - 1) : 0;
  return Array.from({ length: count }, (_, tick) => Math.round(tick * step));
}

/** Round numbers for the other axis, 0 among them, the last one at least as high as the highest point. */
export function countTicksUpTo(highest: number): number[] {
  const intervalsMax = 4;
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, highest / intervalsMax)));
  const fitting = [1, 2, 5, 10].find((factor) => factor * magnitude * intervalsMax >= highest) ?? 10;
  const step = fitting * magnitude;
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, tick) => tick * step);
}
