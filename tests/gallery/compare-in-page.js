// Runs in a blank page, because a browser reads and writes pictures without a library.

/**
 * Reduces a picture to cells, whose colour is the mean of a square of pixels, and compares it with an accepted one.
 * `options`: `picture` and `accepted` (null if there is none) in base64, `cellSize` in pixels, `tolerance` of 255.
 */
globalThis.comparePictures = async ({ picture, accepted, cellSize, tolerance }) => {
  const now = reduce(await pixelsOf(picture), cellSize);
  const changedCells = accepted === null ? [] : differences(await pixelsOf(accepted), now, tolerance);
  return {
    reduced: await encode(now),
    changed: changedCells.length / (now.width * now.height),
    where: middleHalf(changedCells, cellSize),
  };
};

async function pixelsOf(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
}

function reduce(pixels, cellSize) {
  const small = new ImageData(Math.floor(pixels.width / cellSize), Math.floor(pixels.height / cellSize));
  for (let row = 0; row < small.height; row++)
    for (let column = 0; column < small.width; column++)
      small.data.set(
        [...meanColour(pixels, column * cellSize, row * cellSize, cellSize), 255],
        (row * small.width + column) * 4,
      );
  return small;
}

function meanColour({ data, width }, left, top, size) {
  const sums = [0, 0, 0];
  for (let y = top; y < top + size; y++)
    for (let x = left; x < left + size; x++)
      for (const channel of [0, 1, 2]) sums[channel] += data[(y * width + x) * 4 + channel];
  return sums.map((sum) => Math.round(sum / size ** 2));
}

function differences(accepted, now, tolerance) {
  const changed = [];
  for (let row = 0; row < now.height; row++)
    for (let column = 0; column < now.width; column++) {
      const isInside = row < accepted.height && column < accepted.width;
      const isSame = [0, 1, 2].every((channel) => {
        const before = accepted.data[(row * accepted.width + column) * 4 + channel];
        return isInside && Math.abs(before - now.data[(row * now.width + column) * 4 + channel]) <= tolerance;
      });
      if (!isSame) changed.push({ row, column });
    }
  return changed;
}

/** Where the middle half of the changed cells is, in pixels, so that a few distant ones do not hide the place. */
function middleHalf(cells, cellSize) {
  if (cells.length === 0) return null;
  const spread = (values) => {
    const sorted = values.toSorted((left, right) => left - right);
    const at = (share) => sorted[Math.floor(share * (sorted.length - 1))] * cellSize;
    return `${at(0.25)} to ${at(0.75) + cellSize}`;
  };
  return `x ${spread(cells.map(({ column }) => column))}, y ${spread(cells.map(({ row }) => row))}`;
}

async function encode(pixels) {
  const canvas = new OffscreenCanvas(pixels.width, pixels.height);
  canvas.getContext('2d').putImageData(pixels, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
}
