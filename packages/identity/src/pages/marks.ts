import { Html } from '@assay/pages';

/** The product's logo: an A, and in place of its bar the bead of pure metal that an assay leaves in the cupel. */
export const assayMark = new Html(
  `<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
<rect class="punch" width="32" height="32" rx="8"/>
<path class="letter" d="M7.5 25L16 7l8.5 18" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/>
<circle class="bead" cx="16" cy="21.5" r="3"/></svg>`,
);

/** The same for the browser's tab, where no style sheet reaches it. */
export const assayIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f2536"/>
<path d="M7.5 25L16 7l8.5 18" fill="none" stroke="#fdfaf4" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/>
<circle cx="16" cy="21.5" r="3" fill="#e69a66"/></svg>`;

// The marks that the product strikes on its results, each with an outline, a sign and a colour of its own.
const verdictShapes = {
  valid: '<circle cx="12" cy="12" r="11"/><path class="sign" d="M6.8 12.4l3.6 3.6 6.9-7.6"/>',
  invalid:
    '<path d="M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z"/><path class="sign" d="M8 8l8 8M16 8l-8 8"/>',
  'catch-all':
    '<rect x="1.5" y="1.5" width="21" height="21" rx="5"/><path class="sign" d="M5.2 9.8c2.3-2.6 4.5-2.6 6.8 0s4.5 2.6 6.8 0M5.2 15.4c2.3-2.6 4.5-2.6 6.8 0s4.5 2.6 6.8 0"/>',
  unknown:
    '<path d="M12 .4L23.6 12 12 23.6.4 12z"/><path class="sign" d="M9.5 9.7a2.5 2.5 0 1 1 3.9 2.1c-.9.6-1.4 1.1-1.4 2.1"/><circle class="dot" cx="12" cy="17" r="1.35"/>',
};

export function verdictMark(name: keyof typeof verdictShapes): Html {
  return new Html(
    `<svg class="verdict verdict-${name}" viewBox="0 0 24 24" width="28" height="28" aria-hidden="true" focusable="false">${verdictShapes[name]}</svg>`,
  );
}
