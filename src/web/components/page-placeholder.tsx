import { Container } from '@mantine/core';
import { Placeholders } from './placeholders.tsx';

export function PagePlaceholder() {
  return (
    <Container size="lg" py={{ base: 'md', sm: 'xl' }}>
      <Placeholders heights={[32, 160, 160]} />
    </Container>
  );
}
