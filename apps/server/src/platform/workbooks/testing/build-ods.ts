import { buildZip } from './build-zip.ts';

interface TableToBuild {
  readonly name: string;
  /** The XML of its rows. */
  readonly rows: string;
  readonly isHidden?: boolean;
}

const spaces = ['office', 'table', 'text', 'style'].map((name) => `xmlns:${name}="urn:${name}"`).join(' ');

export const odsType = { name: 'mimetype', bytes: 'application/vnd.oasis.opendocument.spreadsheet' };

/** The XML of a cell with text, as LibreOffice writes it. */
export const odsCell = (text: string, attributes = 'office:value-type="string"'): string =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;

export const odsRow = (...cells: readonly string[]): string =>
  `<table:table-row>${cells.join('')}</table:table-row>`;

export const odsContent = (tables: readonly TableToBuild[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${spaces}><office:automatic-styles><style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>${tables
    .map(
      ({ name, rows, isHidden }) =>
        `<table:table table:name="${name}" table:style-name="${isHidden ? 'hidden' : 'shown'}"><table:table-column/>${rows}</table:table>`,
    )
    .join('')}</office:spreadsheet></office:body></office:document-content>`;

/** A spreadsheet as LibreOffice writes it. */
export const buildOds = (...tables: readonly TableToBuild[]): Buffer =>
  buildZip([odsType, { name: 'content.xml', bytes: odsContent(tables) }]);
