import { API_BASE } from '@assay/contract';
import { renderCode, renderLanguages } from '../code-examples.ts';
import { escapeHtml } from '../html.ts';
import { renderMarkdown } from '../markdown.ts';
import type { Page } from '../page-layout.ts';
import type { SearchEntry } from '../search.ts';
import { answeredStatus } from './describe-document.ts';
import { panelsOf } from './example-programs.ts';
import type { Field } from './fields.ts';
import type { Operation } from './operations.ts';
import { REFERENCE_PATH, type ReferenceSection } from './sections.ts';
import { renderTryIt } from './try-it.ts';

/** The answers to the examples, recorded from a running product, by the name of the call. */
export type RecordedAnswers = Readonly<Record<string, unknown>>;

export interface ReferenceOptions {
  readonly operations: readonly Operation[];
  readonly sections: readonly ReferenceSection[];
  readonly answers: RecordedAnswers;
  /** The URL of the API. */
  readonly api: string;
}

/** Calls that make something come first. */
const operationsIn = (operations: readonly Operation[], { title }: ReferenceSection): Operation[] =>
  operations
    .filter(({ tag }) => tag === title)
    .toSorted((left, right) => Number(makes(right)) - Number(makes(left)));
const makes = ({ contract }: Operation): boolean => contract.success.status === 201;

/** The first page of the reference: how to call, and a table of every call. */
export function renderOverview({ operations, sections }: ReferenceOptions, introduction: string): Page {
  const { html, headings } = renderMarkdown(introduction);
  const tables = sections.map((section) => {
    const rows = operationsIn(operations, section).map(
      ({ id, contract, path, title }) =>
        `<li><a href="${section.path}#${id}">${renderEndpoint(contract.method, path)}<span>${escapeHtml(title)}</span></a></li>`,
    );
    return `<h2 id="${idOf(section)}"><a href="${section.path}">${section.title}</a></h2>
<ul class="calls">${rows.join('')}</ul>`;
  });
  return {
    path: REFERENCE_PATH,
    title: 'Reference',
    html: `${html}${tables.join('\n')}`,
    headings: [...headings, ...sections.map((section) => ({ id: idOf(section), title: section.title }))],
  };
}

const idOf = ({ path }: ReferenceSection): string => path.slice(REFERENCE_PATH.length + 1);

export function renderSection(section: ReferenceSection, options: ReferenceOptions): Page {
  const operations = operationsIn(options.operations, section);
  return {
    path: section.path,
    title: section.title,
    html: `<h1>${section.title}</h1>\n${operations.map((operation) => renderOperation(operation, options)).join('\n')}`,
    headings: operations.map(({ id, title }) => ({ id, title })),
  };
}

/** The calls, for the search: by their words, paths and fields. */
export const referenceEntries = ({ operations, sections }: ReferenceOptions): SearchEntry[] =>
  sections.flatMap((section) =>
    operationsIn(operations, section).map((operation) => ({
      url: `${section.path}#${operation.id}`,
      page: `Reference: ${section.title}`,
      title: operation.title,
      text: textOf(operation),
    })),
  );

function textOf({ contract, path, text, query, body, answer }: Operation): string {
  const names = [...query, ...(body?.fields ?? []), ...answer].map(({ name }) => name);
  return `${contract.method} ${API_BASE}${path} ${text.replaceAll('`', '')} ${[...new Set(names)].join(' ')}`;
}

function renderOperation(operation: Operation, { answers, api }: ReferenceOptions): string {
  const { id, title, text, contract, path, params, query, headers, body } = operation;
  return `<section class="operation" aria-labelledby="${id}">
<h2 id="${id}">${escapeHtml(title)}</h2>
<p class="call">${renderEndpoint(contract.method, path)}</p>
${text && `<p>${renderInline(text)}</p>`}
<p>${whoMayCall(operation)}</p>
${renderFields('Path', params)}${renderFields('Query', query)}${renderFields('Headers', headers)}${renderFields(bodyTitle(body?.type), body?.fields ?? [])}
<h3>Example</h3>
${renderLanguages(panelsOf(operation, api), `language-${id}`)}
${renderAnswer(operation, answers[operation.name])}
${renderTryIt(operation)}</section>`;
}

const renderEndpoint = (method: string, path: string): string =>
  `<span class="method">${method}</span> <code>${API_BASE}${escapeHtml(path).replaceAll('/', '/<wbr>')}</code>`;

const bodyTitles: Readonly<Record<string, string>> = {
  'multipart/form-data': 'Form with a file',
  'application/x-www-form-urlencoded': 'Form',
};
const bodyTitle = (type = ''): string => bodyTitles[type] ?? 'Body';

function whoMayCall({ contract: { auth, keyScope, ownWorkScope } }: Operation): string {
  if (auth === 'public') return 'Needs no credentials.';
  const person = 'the bearer token of a signed-in person';
  if (auth === 'user') return `Needs ${person}.`;
  const scope = keyScope && keyScope !== 'any' ? ` with the scope <code>${keyScope}</code>` : '';
  const own = ownWorkScope ? ` (<code>${ownWorkScope}</code> is enough for what the key started itself)` : '';
  return `Needs an <a href="/docs/keys">API key</a>${scope}${own}, or ${person}.`;
}

function renderFields(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  return `<h3>${title}</h3>
${renderTable(title, fields)}`;
}

function renderTable(title: string, fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, isRequired, isAlternative, description, values, notes }) => {
    const allowed = values.map((value) => `<code>${escapeHtml(value)}</code>`).join(' ');
    const details = [allowed, ...notes.map(escapeHtml)].filter((note) => note !== '').join('; ');
    const need = isRequired ? '' : ` <small>${isAlternative ? 'one of these' : 'optional'}</small>`;
    return `<tr><td><code>${escapeHtml(name).replaceAll('.', '.<wbr>')}</code>${need}</td><td>${description && `${renderInline(description)}<br>`}<small>${[escapeHtml(type), details].filter(Boolean).join('; ')}</small></td></tr>`;
  });
  return `<div class="table fields" tabindex="0" role="group" aria-label="${title}"><table><thead><tr><th scope="col">name</th><th scope="col">meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
`;
}

function renderAnswer({ name, contract, answer, statuses }: Operation, recorded: unknown): string {
  const answered = answeredStatus(name, contract);
  const others = statuses
    .filter(({ status, meaning }) => meaning !== '' && status !== answered)
    .map(({ status, meaning }) => `<li><strong>${status}</strong>: ${renderInline(meaning)}</li>`);
  const { status } = contract.success;
  return `<h3>Answer</h3>
${recorded === undefined || status === 204 ? `<p>Status ${status}${status === 204 ? ', without a body' : ''}.</p>` : renderCode(JSON.stringify(recorded, null, 2), 'json', `Status ${answered}`)}
${others.length > 0 ? `<ul>${others.join('')}</ul>` : ''}
${answer.length > 0 ? `<details><summary>Fields of the answer</summary>\n${renderTable('Fields of the answer', answer)}</details>` : ''}
<p><small>Refusals: see <a href="/docs/errors">Errors</a>.</small></p>`;
}

/** Our own words, in which backquotes mark code. */
const renderInline = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
