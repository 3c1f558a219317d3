/**
 * Widths in px at which the layout changes; a name covers its width and above. CSS cannot read these: a media query there
 * repeats the number, as `(width >= 1080px)`. Below 800 px of height, `(height < 800px)`, the layout tightens.
 */
export const breakpointsPx = { xs: 0, sm: 440, md: 1080, lg: 1224, xl: 1440 } as const;
