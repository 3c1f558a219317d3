import { NavLink } from 'react-router';
import classes from './section-links.module.css';

interface SectionLinksProps {
  /** What the links are about, for people who do not see them. */
  label: string;
  /** The first one's path begins the paths of all others. */
  links: readonly { readonly path: string; readonly label: string }[];
}

/** The sections of a page that have addresses of their own. */
export function SectionLinks({ label, links }: SectionLinksProps) {
  return (
    <nav aria-label={label} className={classes.root}>
      {links.map(({ path, label: words }, index) => (
        <NavLink key={path} to={path} end={index === 0} className={classes.link}>
          {words}
        </NavLink>
      ))}
    </nav>
  );
}
