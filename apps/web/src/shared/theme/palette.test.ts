import { describe, expect, it } from 'vitest';
import { type ColorSchemeName, palette, type VerdictTone, verdictPalette } from './palette.ts';

type Rgb = readonly [number, number, number];
type Matrix = readonly [Rgb, Rgb, Rgb];

// How people see who lack one kind of cone, in linear light: Machado, Oliveira and Fernandes 2009, full severity.
const visions: Record<string, Matrix> = {
  'all three cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function toLinear(hex: string): Rgb {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

const dot = (a: Rgb, b: Rgb): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const seenWith = (vision: Matrix, color: Rgb): Rgb => [
  clamp(dot(vision[0], color)),
  clamp(dot(vision[1], color)),
  clamp(dot(vision[2], color)),
];

/** OKLab, in which equal steps look equally large. */
function toOklab(color: Rgb): Rgb {
  const cones: Rgb = [
    Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], color)),
    Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], color)),
    Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], color)),
  ];
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ];
}

const distance = (a: Rgb, b: Rgb): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** WCAG 2.2. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => dot([0.2126, 0.7152, 0.0722], toLinear(hex));
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const schemes = ['light', 'dark'] as const satisfies ColorSchemeName[];
const verdicts = Object.keys(verdictPalette.light) as VerdictTone[];
const pairs = verdicts.flatMap((one, index) =>
  verdicts.slice(index + 1).map((other) => [one, other] as const),
);

// A step of 0.02 in OKLab is just noticeable between large fields side by side; slices and marks get more than four of them.
const SEPARATION_MIN = 0.09;

describe.each(schemes)('%s scheme', (scheme) => {
  const {
    paper,
    surface,
    sunken,
    ink,
    inkMuted,
    accent,
    accentTint,
    primary,
    primaryHover,
    onPrimary,
    lineStrong,
  } = palette[scheme];

  it.each(Object.entries(visions))('marks of any two verdicts differ with %s', (_, vision) => {
    for (const [one, other] of pairs) {
      const seen = [one, other].map((verdict) =>
        toOklab(seenWith(vision, toLinear(verdictPalette[scheme][verdict].mark))),
      ) as [Rgb, Rgb];
      expect(distance(...seen), `${one} and ${other}`).toBeGreaterThan(SEPARATION_MIN);
    }
  });

  it.each(verdicts)(
    '%s: words reach 4.5:1 on every ground, its mark 3:1, and so does the sign in the mark',
    (verdict) => {
      const { mark, text, tint } = verdictPalette[scheme][verdict];
      for (const ground of [paper, surface, sunken, tint]) {
        expect(contrast(text, ground), `text on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
      for (const ground of [paper, surface, sunken]) {
        expect(contrast(mark, ground), `mark on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    },
  );

  it('ink, muted ink and the accent reach 4.5:1 on every ground', () => {
    for (const ground of [paper, surface, sunken]) {
      for (const color of [ink, inkMuted, accent]) {
        expect(contrast(color, ground), `${color} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(contrast(accent, accentTint)).toBeGreaterThanOrEqual(4.5);
  });

  it('words on a solid button reach 4.5:1, also under the pointer', () => {
    expect(contrast(onPrimary, primary)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(onPrimary, primaryHover)).toBeGreaterThanOrEqual(4.5);
  });

  it('the outline of a field reaches 3:1', () => {
    expect(contrast(lineStrong, surface)).toBeGreaterThanOrEqual(3);
    expect(contrast(lineStrong, paper)).toBeGreaterThanOrEqual(3);
  });
});

describe('the paper under an overlay', () => {
  it.each(['light', 'dark'] as const)('has the colour that the overlay gives it, %s', (scheme) => {
    const { paper, overlay, paperUnderOverlay } = palette[scheme];
    const [red = 0, green = 0, blue = 0, percent = 0] = (overlay.match(/\d+/g) ?? []).map(Number);
    const mixed = [red, green, blue].map((over, index) => {
      const under = Number.parseInt(paper.slice(1 + index * 2, 3 + index * 2), 16);
      return Math.round(under + ((over - under) * percent) / 100)
        .toString(16)
        .padStart(2, '0');
    });

    expect(paperUnderOverlay).toBe(`#${mixed.join('')}`);
  });
});
