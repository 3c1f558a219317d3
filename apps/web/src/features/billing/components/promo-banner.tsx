import { Button } from '@mantine/core';
import classes from './promo-banner.module.css';

export function PromoBanner({ onRedeem }: { onRedeem: () => void }) {
  return (
    <section className={classes.root} aria-label="Promotional code">
      <p>Do you have a promotional code? Redeem your credits here.</p>
      <Button variant="default" onClick={onRedeem}>
        Redeem credits
      </Button>
    </section>
  );
}
