import { type Html, html } from '@assay/pages';
import type { CardDetails } from '../billing/cards.ts';
import { notATestCard, testCards } from '../billing/test-cards.ts';
import { cardError, invalidRequest } from '../errors.ts';

/** Reads what was typed. A number that is not a test card is declined and never kept. */
export function readCardForm(form: URLSearchParams): CardDetails {
  const digits = (form.get('number') ?? '').replace(/[\s-]/g, '');
  const card = testCards.find(({ number }) => number === digits);
  if (card === undefined) throw cardError(notATestCard);
  const expiry = /^\s*(\d{1,2})\s*\/\s*(?:\d{2})?(\d{2})\s*$/.exec(form.get('expiry') ?? '');
  if (expiry === null) throw invalidRequest('Write the expiration date as MM / YY.', { param: 'expiry' });
  return { card, expMonth: Number(expiry[1]), expYear: 2000 + Number(expiry[2]) };
}

const field = (name: string, label: string, autocomplete: string): Html => html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="text" autocomplete="${autocomplete}" required>
</div>`;

/** A form that asks for a card, with the cards that it takes. */
export const cardForm = (button: string): Html => html`<form method="post">
${field('number', 'Card number', 'cc-number')}
${field('expiry', 'Expiration (MM / YY)', 'cc-exp')}
${field('cvc', 'Security code', 'cc-csc')}
${field('name', 'Name on card', 'cc-name')}
<button>${button}</button>
</form>
<h2>Test cards</h2>
<p>Any date to come and any security code will do. Other numbers are declined and never kept.</p>
<ul>
${testCards.map(({ number, note }) => html`<li>${number.replace(/(\d{4})(?=\d)/g, '$1 ')} ${note}</li>`)}
</ul>`;
