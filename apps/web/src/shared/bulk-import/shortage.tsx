import { Button } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import { creditsText } from '../format/count-words.ts';
import classes from './shortage.module.css';

/** Why Confirm is disabled, beside it, and the way on. */
export const Shortage = ({ credits, onBuyCredits }: { credits: number; onBuyCredits: () => void }) =>
  credits === 0 ? null : (
    <div className={classes.root} role="alert">
      <Icon name="warning" size={20} />
      <span>You're {creditsText(credits)} short.</span>
      <Button variant="default" onClick={onBuyCredits}>
        Buy credits
      </Button>
    </div>
  );
