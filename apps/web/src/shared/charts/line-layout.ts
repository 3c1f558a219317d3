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
  /** The points whose dates are named. */
  readonly ticks: readonly number[];
  /** Whether a date has two lines, such as `Nov` above `18`. */
  readonly isStacked: boolean;
  readonly places: readonly { readonly x: number; readonly y: number }[];
  /** The height of a count on the axis at the left. */
  readonly heightOf: (count: number) => number;
}

const countWidth = 40;
/** Half of a date's label, which stands below the end of the line. */
const edge = 20;
const topRoom = 10;
const [levelRoom, stackedRoom] = [28, 41];
/** Of the letters of a label, on average, and between two labels. */
const [letterWidth, labelGap] = [5.8, 4];

interface LineBox {
  readonly width: number;
  readonly height: number;
  readonly highestTick: number;
  /** How many dates are named, if there is room for them. */
  readonly tickCount: number;
  /** A word for the last point, which is named in addition. */
  readonly lastName?: string | undefined;
}

/** For a chart of this size. */
export function layOut(points: readonly ChartPoint[], box: LineBox): LineLayout {
  const { width, height, highestTick } = box;
  const [left, right] = [countWidth + edge, Math.max(countWidth + edge, width - edge)];
  const step = points.length > 1 ? (right - left) / (points.length - 1) : 0;
  const { ticks, isStacked } = nameTicks(points, box, step);
  const [top, bottom] = [topRoom, height - (isStacked ? stackedRoom : levelRoom)];
  const heightOf = (count: number) => bottom - (count / highestTick) * (bottom - top);
  const places = points.map(({ count }, index) => ({ x: left + index * step, y: heightOf(count) }));
  return { left, right, top, bottom, ticks, isStacked, places, heightOf };
}

/** As many dates as fit, in one line or else in two; all of them level. */
function nameTicks(
  points: readonly ChartPoint[],
  { tickCount, lastName }: LineBox,
  step: number,
): Pick<LineLayout, 'ticks' | 'isStacked'> {
  const wanted = lastName
    ? [...ticksOf(points.length - 1, tickCount), points.length - 1]
    : ticksOf(points.length, tickCount);
  const widthOf = (tick: number, isStacked: boolean): number => {
    const lines = axisLines(points, tick, { isStacked, lastName });
    return Math.max(...lines.map(({ length }) => length)) * letterWidth + labelGap;
  };
  const fits = (ticks: readonly number[], isStacked: boolean): boolean =>
    ticks.every((tick, index) => {
      const before = ticks[index - 1];
      if (before === undefined) return true;
      return (tick - before) * step >= (widthOf(before, isStacked) + widthOf(tick, isStacked)) / 2;
    });
  if (fits(wanted, false)) return { ticks: wanted, isStacked: false };
  let ticks = wanted;
  for (let count = tickCount; count > 1 && !fits(ticks, true); count--) ticks = ticksOf(points.length, count);
  return { ticks, isStacked: true };
}

/** What is written below a point: `Nov 18`, or `Nov` and `18`. */
export function axisLines(
  points: readonly ChartPoint[],
  index: number,
  { isStacked, lastName }: { readonly isStacked: boolean; readonly lastName?: string | undefined },
): readonly string[] {
  const { label = '' } = points[index] ?? {};
  const name = index === points.length - 1 ? (lastName ?? label) : label;
  return isStacked ? name.split(' ') : [name];
}

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
