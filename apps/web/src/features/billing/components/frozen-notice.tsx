import { Notice } from './notice.tsx';

export const FrozenNotice = () => (
  <Notice isUrgent>
    A bank disputes one of your payments, so its unspent credits are frozen. You get them back if the payment
    is confirmed.
  </Notice>
);
