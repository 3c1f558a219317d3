import { useState } from 'react';
import { browserStorage } from '../../../shared/cache/browser-storage.ts';

const storageKey = 'assay.chart';
/** Where the chart would push the results below the screen. */
const lowScreen = '(width < 440px) or (height < 860px)';

/** Whether the chart is shown. This browser remembers the choice; until there is one, phones and low screens start without the chart. */
export function useChartOpen(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setIsOpen] = useState(() => {
    const choice = browserStorage.getItem(storageKey);
    return choice === null ? !window.matchMedia(lowScreen).matches : choice === 'open';
  });
  const choose = (isWanted: boolean) => {
    browserStorage.setItem(storageKey, isWanted ? 'open' : 'closed');
    setIsOpen(isWanted);
  };
  return [isOpen, choose];
}
