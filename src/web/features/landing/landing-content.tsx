import { Closing } from './sections/closing.tsx';
import { Hero } from './sections/hero.tsx';
import { HowItWorks } from './sections/how-it-works.tsx';
import { Prices } from './sections/prices.tsx';
import { Problems } from './sections/problems.tsx';
import { Questions } from './sections/questions.tsx';
import { Testimonial } from './sections/testimonial.tsx';

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
