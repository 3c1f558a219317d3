/**
 * Widths in px at which the layout changes (a name covers its width and above), and the height below which it tightens.
 * CSS cannot read these: a media query there repeats the number, as `(width >= 1080px)` or `(height < 800px)`.
 */
export const breakpointsPx = { xs: 0, sm: 440, md: 1080, lg: 1224, xl: 1440 } as const;

export const shortHeightPx = 800;
