import { Icon } from '../components/icon.tsx';
import classes from './page-drop-cover.module.css';

/** Covers the page while files are over it. */
export const PageDropCover = () => (
  <div className={classes.cover}>
    <p className={classes.words}>
      <Icon name="upload" size={28} />
      Drop to import
    </p>
  </div>
);
