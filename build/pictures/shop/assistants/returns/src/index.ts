// Runs before the model is asked.
function Create() {
  return { max_tokens: 400, metadata: { desk: 'returns' } }
}
