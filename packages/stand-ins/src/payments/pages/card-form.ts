import { type Html, html } from '@assay/pages';
import type { CardDetails } from '../billing/payment-methods.ts';
import { findTestCard, notATestCard, testCards } from '../billing/test-cards.ts';
import { cardError } from '../errors.ts';
import type { World } from '../world.ts';

type CardField = 'number' | 'expiry' | 'cvc' | 'name';
export type CardProblems = Partial<Record<CardField, string>>;

/** The typed card is not valid as it stands; the page shows what to change beside each field. */
export class CardFormError extends Error {
  readonly problems: CardProblems;

  constructor(problems: CardProblems) {
    super('the card form has problems');
    this.problems = problems;
  }
}

/** Reads what was typed. A number that is not a test card is declined, and goes nowhere. */
export function readCardForm(world: World, form: URLSearchParams, email: string | null): CardDetails {
  const number = (form.get('number') ?? '').replace(/[\s-]/g, '');
  const expiry = /^\s*(\d{1,2})\s*\/\s*(\d{2}|\d{4})\s*$/.exec(form.get('expiry') ?? '');
  const month = Number(expiry?.[1] ?? 0);
  const year = 2000 + (Number(expiry?.[2] ?? 0) % 100);
  const now = world.clock.now();

  const problems: CardProblems = {};
  if (!/^\d{12,19}$/.test(number) || !hasValidChecksum(number))
    problems.number = 'Your card number is incomplete or wrong.';
  if (expiry === null || month < 1 || month > 12) problems.expiry = 'Write the date as MM / YY.';
  else if (Date.UTC(year, month, 1) <= now.getTime())
    problems.expiry = "Your card's expiration date is in the past.";
  if (!/^\d{3,4}$/.test((form.get('cvc') ?? '').trim()))
    problems.cvc = 'The security code has 3 or 4 digits.';
  const name = (form.get('name') ?? '').trim();
  if (name === '') problems.name = 'Write the name on the card.';
  if (Object.keys(problems).length > 0) throw new CardFormError(problems);

  const card = findTestCard(number);
  if (card === undefined) throw cardError(notATestCard);
  return { card, expMonth: month, expYear: year, name: name.slice(0, 100), email };
}

function hasValidChecksum(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 1 : 2);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}

/** The fields, with what was typed before except number and code, which we never send back. */
export function cardFields(form: URLSearchParams | null, problems: CardProblems): Html {
  const field = (options: {
    name: CardField;
    label: string;
    autocomplete: string;
    hint: string;
    isNumeric?: boolean;
    value?: string;
  }): Html => {
    const problem = problems[options.name];
    const describedBy = `${options.name}-problem`;
    return html`<div class="field">
<label for="${options.name}">${options.label}</label>
<input id="${options.name}" name="${options.name}" type="text" autocomplete="${options.autocomplete}" placeholder="${options.hint}"
 ${options.isNumeric && html`inputmode="numeric"`} value="${options.value ?? ''}" required
 ${problem && html`aria-invalid="true" aria-describedby="${describedBy}"`}>
${problem && html`<p class="problem" id="${describedBy}">${problem}</p>`}
</div>`;
  };
  return html`<fieldset class="card">
<legend>Card information</legend>
${field({ name: 'number', label: 'Card number', autocomplete: 'cc-number', hint: '4242 4242 4242 4242', isNumeric: true })}
<div class="pair">
${field({ name: 'expiry', label: 'Expiration', autocomplete: 'cc-exp', hint: 'MM / YY', isNumeric: true, value: form?.get('expiry') ?? '' })}
${field({ name: 'cvc', label: 'Security code', autocomplete: 'cc-csc', hint: 'CVC', isNumeric: true })}
</div>
${field({ name: 'name', label: 'Name on card', autocomplete: 'cc-name', hint: 'Full name', value: form?.get('name') ?? '' })}
</fieldset>`;
}

const spaced = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ');

export const testCardHelp: Html = html`<aside class="help" aria-label="Test cards">
<h2>Test cards</h2>
<p>Any date to come and any security code will do. Other numbers are declined and never kept.</p>
<ul>
${testCards.map((card) => html`<li><code>${spaced(card.number)}</code> <span>${card.note}</span></li>`)}
</ul>
</aside>`;
