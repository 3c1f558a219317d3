import type { Locator } from 'playwright-core';

/** The parts of the browser that we use; tests have no DOM types. */
interface Box {
  readonly childNodes: Iterable<{ readonly nodeType: number }>;
  readonly ownerDocument: {
    createRange(): {
      selectNode(node: unknown): void;
      getBoundingClientRect(): { readonly bottom: number };
    };
    createElement(tag: 'canvas'): {
      getContext(kind: '2d'): {
        font: string;
        measureText(text: string): { readonly fontBoundingBoxDescent: number };
      };
    };
    readonly defaultView: { getComputedStyle(box: Box): { readonly font: string } };
  };
}

/** Where the letters of an element's own text stand, in px from the top. */
const baselineOf = (text: Locator): Promise<number> =>
  text.evaluate((box: Box) => {
    const { ownerDocument } = box;
    const range = ownerDocument.createRange();
    range.selectNode([...box.childNodes].find(({ nodeType }) => nodeType === 3));
    const pen = ownerDocument.createElement('canvas').getContext('2d');
    pen.font = ownerDocument.defaultView.getComputedStyle(box).font;
    return range.getBoundingClientRect().bottom - pen.measureText('x').fontBoundingBoxDescent;
  });

/** By how many px the baselines of two texts differ that stand beside each other. */
export const baselinesApart = async (one: Locator, other: Locator): Promise<number> =>
  Math.abs((await baselineOf(one)) - (await baselineOf(other)));
