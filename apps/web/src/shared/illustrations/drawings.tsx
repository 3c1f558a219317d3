import type { ReactNode } from 'react';
import classes from './illustration.module.css';

// One hand, one set: 200 by 140 units, ink lines on a sunken ground, things of an assay office and its post, and in each
// drawing one bead of the accent, where the eye should go.
const { line, thin, heavy, paper, solid, bead, beadLine } = classes;

export const drawings = {
  notFound: (
    <>
      <rect x="46" y="38" width="84" height="58" rx="5" className={thin} strokeDasharray="5 6" />
      <path d="M50 43l38 28 38-28" className={thin} strokeDasharray="5 6" />
      <circle cx="122" cy="76" r="24" className={paper} />
      <path d="M140 94l19 19" className={heavy} />
      <path d="M112 70a15 15 0 0 1 9-8" className={thin} />
      <circle cx="122" cy="78" r="5" className={bead} />
    </>
  ),
  forbidden: (
    <>
      <rect x="42" y="44" width="84" height="56" rx="5" className={paper} />
      <path d="M45 48l39 28l39 -28" className={line} />
      <path d="M116 74v-9a15 15 0 0 1 30 0v9" className={line} />
      <rect x="108" y="74" width="46" height="36" rx="6" className={paper} />
      <circle cx="131" cy="89" r="5" className={bead} />
      <path d="M131 94v7" className={beadLine} />
    </>
  ),
  systemError: (
    <>
      <path d="M100 34v74M78 110h44" className={line} />
      <path d="M56 66L144 42" className={line} />
      <path d="M56 66l-14 28h28zM144 42l-14 28h28z" className={thin} />
      <path d="M40 94h32a16 12 0 0 1-32 0z" className={paper} />
      <path d="M128 70h32a16 12 0 0 1-32 0z" className={paper} />
      <path d="M92 22l8 10 8-10" className={thin} />
      <circle cx="56" cy="87" r="6" className={bead} />
    </>
  ),
  goodbye: (
    <>
      <path d="M36 104c16-4 20-20 38-20s16 12 30 8" className={thin} strokeDasharray="5 6" />
      <path d="M160 34L98 62l20 9z" className={paper} />
      <path d="M160 34l-42 37 2 25 12-17 12 6z" className={paper} />
      <path d="M120 96l12-17" className={thin} />
      <circle cx="36" cy="104" r="6" className={bead} />
    </>
  ),
  maintenance: (
    <>
      <path d="M70 52h60l-9 44a8 8 0 0 1-8 6H87a8 8 0 0 1-8-6z" className={paper} />
      <path d="M62 52h76" className={line} />
      <path d="M76 74c8-6 16 6 24 0s16-6 24 0" className={thin} />
      <path d="M84 38c-5-6 4-9 0-16M100 38c-5-6 4-9 0-16M116 38c-5-6 4-9 0-16" className={thin} />
      <path d="M66 112h68" className={line} />
      <circle cx="100" cy="88" r="6" className={bead} />
    </>
  ),
  offline: (
    <>
      <path d="M26 84c14 0 18-14 32-14h14" className={line} />
      <path d="M72 56h12a14 14 0 0 1 0 28H72z" className={paper} />
      <path d="M98 64h10M98 76h10" className={line} />
      <path d="M144 56h-12a14 14 0 0 0 0 28h12z" className={paper} />
      <path d="M144 70h8c14 0 10 18 26 18" className={line} />
      <path d="M113 46l3-9M104 46l-4-8M113 94l3 9M104 94l-4 8" className={thin} />
      <circle cx="132" cy="70" r="5" className={bead} />
    </>
  ),
  sessionEnded: (
    <>
      <path d="M72 30h56M72 110h56" className={line} />
      <path
        d="M78 30c0 24 14 28 18 40-4 12-18 16-18 40h44c0-24-14-28-18-40 4-12 18-16 18-40z"
        className={paper}
      />
      <path d="M84 102c4-10 12-12 16-14 4 2 12 4 16 14z" className={solid} />
      <path d="M100 70v8" className={thin} strokeDasharray="2 4" />
      <circle cx="100" cy="98" r="5" className={bead} />
    </>
  ),
  linkExpired: (
    <>
      <path d="M92 88l-9 9a17 17 0 0 1-24-24l15-15a17 17 0 0 1 22-2" className={heavy} />
      <path d="M108 52l9-9a17 17 0 0 1 24 24l-15 15a17 17 0 0 1-22 2" className={heavy} />
      <path d="M86 44l-5-11M76 50l-11-4M114 96l5 11M124 90l11 4" className={thin} />
      <circle cx="100" cy="70" r="5" className={bead} />
    </>
  ),
  checkInbox: (
    <>
      <path d="M52 64l48-34 48 34v42a5 5 0 0 1-5 5H57a5 5 0 0 1-5-5z" className={paper} />
      <path d="M66 76V44a4 4 0 0 1 4-4h60a4 4 0 0 1 4 4v32" className={paper} />
      <path d="M78 54h44M78 64h28" className={thin} />
      <path d="M52 66l48 30 48-30v40a5 5 0 0 1-5 5H57a5 5 0 0 1-5-5z" className={paper} />
      <circle cx="148" cy="46" r="7" className={bead} />
    </>
  ),
  welcome: (
    <>
      <rect x="52" y="30" width="96" height="72" rx="5" className={paper} />
      <path d="M66 48h46M66 60h68M66 72h40" className={thin} />
      <path d="M118 92l-6 22 14-7 14 7-6-22" className={paper} />
      <circle cx="126" cy="84" r="15" className={paper} />
      <circle cx="126" cy="84" r="6" className={bead} />
    </>
  ),
  paymentReceived: (
    <>
      <path d="M46 92v12c0 5 12 9 27 9s27-4 27-9V92" className={paper} />
      <path d="M46 78v14c0 5 12 9 27 9s27-4 27-9V78" className={paper} />
      <ellipse cx="73" cy="78" rx="27" ry="9" className={paper} />
      <path d="M100 98v6c0 5 12 9 27 9s27-4 27-9v-6" className={paper} />
      <ellipse cx="127" cy="98" rx="27" ry="9" className={paper} />
      <circle cx="127" cy="52" r="22" className={paper} />
      <path d="M117 53l7 7 14-15" className={line} />
      <circle cx="73" cy="78" r="5" className={bead} />
    </>
  ),
  paymentFailed: (
    <>
      <rect x="44" y="42" width="96" height="62" rx="7" className={paper} />
      <path d="M44 60h96" className={heavy} />
      <path d="M56 88h22" className={thin} />
      <circle cx="140" cy="98" r="20" className={paper} />
      <path d="M132 90l16 16M148 90l-16 16" className={line} />
      <circle cx="62" cy="76" r="5" className={bead} />
    </>
  ),
  updateReady: (
    <>
      <path d="M74 32h36l18 18v58H74z" className={paper} />
      <path d="M110 32v18h18" className={thin} />
      <path d="M56 88a46 46 0 0 1 6-44M144 52a46 46 0 0 1-6 44" className={line} />
      <path d="M66 48l-4-6-8 2M134 92l4 6 8-2" className={line} />
      <path d="M90 80l8 8 15-17" className={line} />
      <circle cx="92" cy="52" r="5" className={bead} />
    </>
  ),
  nothingHere: (
    <>
      <path d="M48 76l14-34h76l14 34v28a5 5 0 0 1-5 5H53a5 5 0 0 1-5-5z" className={paper} />
      <path d="M48 76h30c2 9 11 15 22 15s20-6 22-15h30" className={line} />
      <path d="M84 28l4 6M100 24v8M116 28l-4 6" className={thin} />
      <circle cx="100" cy="64" r="5" className={bead} />
    </>
  ),
} satisfies Record<string, ReactNode>;

export const Drawing = ({ name }: { name: keyof typeof drawings }) => drawings[name];
