/** The smallest file that readers of PDF show: one page with lines of text, in letters of ASCII. */
export function textPdf(lines: readonly string[]): string {
  const show = lines.map((line) => `(${escapeText(line)}) Tj T*`).join(' ');
  const content = `BT /F1 12 Tf 72 720 Td 18 TL ${show} ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${
    objects.length + 1
  }/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
}

const escapeText = (text: string): string =>
  text
    .replaceAll('×', 'x')
    .replace(/[^ -~]/g, '?')
    .replace(/[\\()]/g, '\\$&');
