import { Html } from '../html.ts';

/** Four arcs and a bar in the colours people look for on such a button. */
export const googleGlyph = new Html(
  `<svg class="glyph" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke-width="4" aria-hidden="true" focusable="false">
<path stroke="#ea4335" d="M5.2 7.7A8 8 0 0 1 17.9 6.6"/><path stroke="#fbbc05" d="M5.2 16.3a8 8 0 0 1 0-8.6"/>
<path stroke="#34a853" d="M17.4 17.9a8 8 0 0 1-12.2-1.6"/><path stroke="#4285f4" d="M12.2 12H20a8 8 0 0 1-2.6 5.9"/></svg>`,
);

/** Four squares, likewise. */
export const microsoftGlyph = new Html(
  `<svg class="glyph" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
<path fill="#f25022" d="M2 2h9.5v9.5H2z"/><path fill="#7fba00" d="M12.5 2H22v9.5h-9.5z"/>
<path fill="#00a4ef" d="M2 12.5h9.5V22H2z"/><path fill="#ffb900" d="M12.5 12.5H22V22h-9.5z"/></svg>`,
);
