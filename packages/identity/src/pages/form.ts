import { type Html, html } from '@assay/pages';
import { browserScript } from './browser-script.ts';

/** What was wrong, by field; under `form` what concerns no single one. */
export type FormErrors = Readonly<Record<string, string>>;

export interface FormState {
  /** Proves that the form came from our own page within this interaction. */
  token: string;
  values?: Readonly<Record<string, string>>;
  errors?: FormErrors;
}

interface Field {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  autocomplete: string;
  hint?: string;
  inputmode?: 'numeric' | 'email';
  className?: string;
  maxlength?: number;
  /** The first field of a page takes the cursor, unless another one is wrong. */
  isFirst?: boolean;
}

export function form(action: string, state: FormState, content: Html): Html {
  return html`${alertOf(state.errors)}<form method="post" action="${action}" novalidate>
  <input type="hidden" name="form_token" value="${state.token}">
  ${content}
</form>`;
}

function alertOf(errors: FormErrors | undefined): Html {
  const message = errors?.form;
  return message ? html`<p class="alert" role="alert">${message}</p>` : html``;
}

export function field(state: FormState, definition: Field): Html {
  const {
    name,
    label,
    type = 'text',
    autocomplete,
    hint,
    inputmode,
    className = '',
    maxlength,
    isFirst,
  } = definition;
  const error = state.errors?.[name];
  const firstWrong = Object.keys(state.errors ?? {}).find((key) => key !== 'form');
  const takesCursor = firstWrong ? firstWrong === name : isFirst;
  // An objection says all that the hint says, and more.
  const note = error ?? hint;
  // A password is never sent back into a page.
  const value = type === 'password' ? '' : (state.values?.[name] ?? '');
  return html`<div class="field ${className}">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required
      ${inputmode && html`inputmode="${inputmode}"`} ${maxlength && html`maxlength="${maxlength}"`}
      ${(type === 'email' || name === 'code') && html`autocapitalize="none" spellcheck="false"`}
      ${error && html`aria-invalid="true"`} ${note && html`aria-describedby="${name}-note"`}
      ${takesCursor && html`autofocus`}>
    ${note && html`<p class="${error ? 'field-error' : 'hint'}" id="${name}-note">${note}</p>`}
  </div>`;
}

/** For a code of digits that a mail or an app shows. */
export const digitsField = (state: FormState): Html =>
  field(state, {
    name: 'code',
    label: 'Code',
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    className: 'code',
    maxlength: 12,
    isFirst: true,
  });

export function hasErrors({ errors }: FormState): boolean {
  return errors !== undefined && Object.keys(errors).length > 0;
}

/**
 * A button that asks the browser for a passkey and sends its answer. The script of the page shows it where the browser can,
 * and puts the answer into the form.
 */
export function passkeyForm(
  action: string,
  state: FormState,
  { use, make, label, content = html`` }: { use?: object; make?: object; label: string; content?: Html },
): Html {
  const options = JSON.stringify(use ?? make);
  return html`<form class="passkey" method="post" action="${action}" hidden
    ${use ? html`data-use="${options}"` : html`data-make="${options}"`}>
    <input type="hidden" name="form_token" value="${state.token}">
    <input type="hidden" name="passkey" value="">
    ${content}
    <p class="alert" role="alert" hidden></p>
    <button class="${use ? 'secondary' : 'primary'}" type="submit">${label}</button>
  </form>
  ${browserScript}`;
}

export function submit(label: string): Html {
  return html`<button class="primary" type="submit">${label}</button>`;
}
