import { formatAmount } from '../billing/money.ts';
import type { Invoice } from '../wire.ts';
import { formatDate } from './format.ts';

const pageWidth = 595;
const pageHeight = 842;
const margin = 56;

interface Text {
  x: number;
  y: number;
  size: number;
  text: string;
  isBold?: boolean;
}

/** One page with the typefaces that every reader of PDF has, so that nothing needs to be embedded. */
export function invoicePdf(invoice: Invoice, businessName: string): Buffer {
  return writePdf(layOut(invoice, businessName));
}

function layOut(invoice: Invoice, businessName: string): Text[] {
  const texts: Text[] = [];
  let y = pageHeight - margin;
  const line = (
    text: string,
    options: { size?: number; isBold?: boolean; x?: number; step?: number } = {},
  ) => {
    const { size = 10, isBold = false, x = margin, step = 16 } = options;
    texts.push({ x, y, size, text, isBold });
    y -= step;
  };
  const pair = (label: string, value: string, isBold = false) => {
    texts.push({ x: pageWidth - margin - 100, y, size: 10, text: value, isBold });
    line(label, { isBold });
  };

  line('Test payments: no money moves.', { size: 8, step: 32 });
  line('Invoice', { size: 22, isBold: true, step: 32 });
  line(`Number: ${invoice.number ?? ''}`);
  line(`Date of issue: ${formatDate(invoice.status_transitions.finalized_at ?? invoice.created)}`);
  line(`Status: ${invoice.status ?? ''}`, { step: 28 });
  line(`From: ${businessName}`);
  line(`Bill to: ${[invoice.customer_name, invoice.customer_email].filter(Boolean).join(', ')}`, {
    step: 32,
  });
  for (const item of invoice.lines.data) {
    pair(item.description ?? '', formatAmount(item.amount, item.currency));
    line(`${formatDate(item.period.start)} to ${formatDate(item.period.end)}`, { size: 8, step: 24 });
  }
  pair('Total', formatAmount(invoice.total, invoice.currency));
  pair('Paid', formatAmount(invoice.amount_paid, invoice.currency));
  pair('Amount due', formatAmount(invoice.amount_remaining, invoice.currency), true);
  return texts;
}

function writePdf(texts: Text[]): Buffer {
  const content = texts
    .map(
      ({ x, y, size, text, isBold }) =>
        `BT /${isBold ? 'F2' : 'F1'} ${size} Tf ${x} ${y} Td (${escapeText(text)}) Tj ET`,
    )
    .join('\n');
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
  ];

  let body = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(Buffer.byteLength(body, 'latin1'));
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const xref = Buffer.byteLength(body, 'latin1');
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  body += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}

/** What the typefaces cannot show becomes a question mark, and what would end the text early is escaped. */
const escapeText = (text: string): string =>
  text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/[\\()]/g, '\\$&');
