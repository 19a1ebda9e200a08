import { Closing } from './closing.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { Prices } from './prices.tsx';
import { Problems } from './problems.tsx';
import { Questions } from './questions.tsx';
import { Testimonial } from './testimonial.tsx';

/** The landing page between its header and its footer. */
export function LandingContent() {
  return (
    <>
      <Hero />
      <Problems />
      <HowItWorks />
      <Testimonial />
      <Prices />
      <Questions />
      <Closing />
    </>
  );
}
