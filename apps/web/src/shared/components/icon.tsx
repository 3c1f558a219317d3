// One hand drew them all: a 24-unit square, strokes of 1.75, round ends, no fill.
const paths = {
  verification:
    'M3 8.5V18a1.5 1.5 0 0 0 1.5 1.5h7M3 8.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.5V11M3.5 7.5L12 13.5l8.5-6M14.5 18l2.2 2.2L21 15.5',
  guessing:
    'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM15.2 15.2L20.5 20.5M8.7 8.9a1.9 1.9 0 1 1 2.9 1.6c-.7.45-1.1.8-1.1 1.6M10.5 14.2v.01',
  api: 'M8.5 7.5L4 12l4.5 4.5M15.5 7.5L20 12l-4.5 4.5M13.3 5.5l-2.6 13',
  billing:
    'M4.5 5.5h15A1.5 1.5 0 0 1 21 7v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.5zM3 10h18M6.5 14.5h3',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.6-3.6 3.6-5.5 7.5-5.5s6.9 1.9 7.5 5.5',
  warmUp:
    'M12 21c-3.7 0-6.5-2.6-6.5-6.2 0-4.3 4.3-5.6 4.8-10.8 3.2 1.6 4.4 4.3 4.2 6.7 1-.5 1.6-1.3 1.8-2.2 1.5 1.7 2.2 3.7 2.2 6.3 0 3.6-2.8 6.2-6.5 6.2z',
  signOut: 'M10 4.5H6A1.5 1.5 0 0 0 4.5 6v12A1.5 1.5 0 0 0 6 19.5h4M15 8l4 4-4 4M19 12H9.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M12 6a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1zM12 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1zM12 19a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1z',
  back: 'M19.5 12h-15M10.5 6l-6 6 6 6',
  previous: 'M14.5 6l-6 6 6 6',
  next: 'M9.5 6l6 6-6 6',
  expand: 'M6 9.5l6 6 6-6',
  less: 'M6 14.5l6-6 6 6',
  external:
    'M13.5 4.5h6v6M19.5 4.5L11 13M17 14v4a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 5 18V9a1.5 1.5 0 0 1 1.5-1.5h4',
  retry: 'M19.5 5v5h-5M19.2 10A7.7 7.7 0 1 0 19.7 13',
  warning: 'M12 4L2.8 19.5h18.4zM12 10v4.5M12 17v.01',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  details:
    'M2.5 12C4.7 8 8 6 12 6s7.3 2 9.5 6c-2.2 4-5.5 6-9.5 6s-7.3-2-9.5-6zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  rename: 'M4 20l1-4.5L15.5 5a1.8 1.8 0 0 1 2.5 0l1 1a1.8 1.8 0 0 1 0 2.5L8.5 19zM13.5 7l3.5 3.5',
  download: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M4.5 19.5h15',
  link: 'M10 14a4 4 0 0 0 6 .4l2.9-2.9a4 4 0 0 0-5.7-5.7L11.8 7.2M14 10a4 4 0 0 0-6-.4l-2.9 2.9a4 4 0 0 0 5.7 5.7l1.4-1.4',
  upload: 'M12 15V4M7.5 8.5L12 4l4.5 4.5M4.5 19.5h15',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  resume: 'M7.5 5v14L19 12z',
  finish: 'M5.5 21V4M5.5 4.5h12l-2.5 4 2.5 4h-12',
  bell: 'M6.5 17V10.5a5.5 5.5 0 0 1 11 0V17M4.5 17h15M10 20h4',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.2 15.2l5.3 5.3',
  remove:
    'M4.5 7h15M9.5 7V5a1 1 0 0 1 1-1h3a1 1 0 0 1 1 1v2M6.5 7l.8 11.6A1.5 1.5 0 0 0 8.8 20h6.4a1.5 1.5 0 0 0 1.5-1.4L17.5 7M10 11v5M14 11v5',
} as const;

export type IconName = keyof typeof paths;

/** Decoration beside a word, or inside a button that has a label of its own; so it is hidden from screen readers. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
