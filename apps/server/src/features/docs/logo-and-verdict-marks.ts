import type { Result } from '@assay/verifier';

/** The product's logo: an A with a bead instead of its bar, the metal that an assay leaves in the cupel. */
export const assayMark = `<svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false"><rect class="logo-punch" width="32" height="32" rx="8"/><path class="logo-letter" d="M7.5 25L16 7l8.5 18"/><circle class="logo-bead" cx="16" cy="21.5" r="3"/></svg>`;

const punches: Record<Result, string> = {
  VALID: '<circle cx="12" cy="12" r="11"/><path class="sign" d="M6.8 12.4l3.6 3.6 6.9-7.6"/>',
  INVALID:
    '<path d="M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z"/><path class="sign" d="M8 8l8 8M16 8l-8 8"/>',
  CATCH_ALL:
    '<rect x="1.5" y="1.5" width="21" height="21" rx="5"/><path class="sign" d="M5.2 9.8c2.3-2.6 4.5-2.6 6.8 0s4.5 2.6 6.8 0M5.2 15.4c2.3-2.6 4.5-2.6 6.8 0s4.5 2.6 6.8 0"/>',
  UNKNOWN:
    '<path d="M12 .4L23.6 12 12 23.6.4 12z"/><path class="sign" d="M9.5 9.7a2.5 2.5 0 1 1 3.9 2.1c-.9.6-1.4 1.1-1.4 2.1"/><circle class="dot" cx="12" cy="17" r="1.35"/>',
};

export const verdictMark = (result: Result): string =>
  `<svg class="verdict" data-verdict="${result}" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">${punches[result]}</svg>`;
