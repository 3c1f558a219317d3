import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderAfterPaint } from './render-after-paint.ts';

let frames: Map<number, () => void>;
let changes: number;
const change = () => {
  changes += 1;
};

beforeEach(() => {
  frames = new Map();
  changes = 0;
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
    frames.set(frames.size + 1, run);
    return frames.size;
  });
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => frames.delete(frame));
});
afterEach(() => vi.unstubAllGlobals());

const drawFrame = () => {
  for (const run of frames.values()) run();
};

it('changes nothing before the next paint', () => {
  renderAfterPaint(change);
  expect(changes).toBe(0);

  drawFrame();
  expect(changes).toBe(1);
});

it('changes nothing after it is cancelled', () => {
  renderAfterPaint(change)();
  drawFrame();
  expect(changes).toBe(0);
});

it('changes at once while the page is hidden', () => {
  vi.stubGlobal('document', { hidden: true });
  renderAfterPaint(change);
  expect(changes).toBe(1);
});
