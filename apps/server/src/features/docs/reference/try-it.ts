import { API_BASE, needsLiveKey } from '@assay/contract';
import { escapeHtml } from '../html.ts';
import { exampleOf } from './example-requests.ts';
import type { Operation } from './operations.ts';

/** Whether a page can make the call with a test key: a form with a file needs a program. */
const canTry = ({ contract: { auth, keyScope, multipart } }: Operation): boolean =>
  auth === 'user_or_key' && !multipart && (keyScope === 'any' || !needsLiveKey(keyScope));

/** A form that makes the call from the page. Hidden without a script, which sends it. */
export function renderTryIt(operation: Operation): string {
  if (!canTry(operation)) return '';
  const { id, contract, path, params, query } = operation;
  const example = exampleOf(operation);
  const fields = [
    ...params.map(({ name }) => renderInput({ id, name, place: 'path', value: '', isRequired: true })),
    ...query.map(({ name, isRequired }) =>
      renderInput({ id, name, place: 'query', value: textOf(example.query[name]), isRequired }),
    ),
  ];
  const body = example.body
    ? `<label for="try-${id}-body">Body</label><textarea id="try-${id}-body" data-place="body" rows="${linesOf(example.body)}" spellcheck="false">${escapeHtml(JSON.stringify(example.body, null, 2))}</textarea>`
    : '';
  return `<details class="try" hidden><summary>Try it</summary>
<form data-method="${contract.method}" data-path="${API_BASE}${escapeHtml(path)}">
<label for="try-${id}-key">Test key</label><input id="try-${id}-key" data-place="key" type="password" autocomplete="off" spellcheck="false" placeholder="assay_test_…">
<p><small><a href="/account/developers?new-key=test">Create a test key</a>. It is free, and this tab forgets it when you close it.</small></p>
${fields.join('\n')}
${body}
<button type="submit">Send</button>
<output role="status" tabindex="0" aria-label="Answer"></output>
</form></details>
`;
}

interface InputParts {
  readonly id: string;
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly value: string;
  readonly isRequired: boolean;
}

const renderInput = ({ id, name, place, value, isRequired }: InputParts): string =>
  `<label for="try-${id}-${name}"><code>${escapeHtml(name)}</code>${isRequired ? '' : ' <small>optional</small>'}</label><input id="try-${id}-${name}" name="${escapeHtml(name)}" data-place="${place}" value="${escapeHtml(value)}" autocomplete="off" spellcheck="false"${isRequired ? ' required' : ''}>`;

const textOf = (value: unknown): string => (value === undefined ? '' : String(value));

const linesOf = (body: object): number => JSON.stringify(body, null, 2).split('\n').length;
