import { renderToString } from 'react-dom/server';
import { LandingDocument } from './landing-document.tsx';

/** The landing page as HTML; called once, when the web app is built. */
export function prerender(): string {
  return renderToString(<LandingDocument />);
}
