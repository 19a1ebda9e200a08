import { renderToString } from 'react-dom/server';
import { LandingDocument } from './landing-document.tsx';

/**
 * The landing page as HTML; called once, when the web app is built.
 * @param nonce what stands for the nonce of its styles until it is sent
 */
export function prerender(nonce: string): string {
  return renderToString(<LandingDocument styleNonce={nonce} />);
}
