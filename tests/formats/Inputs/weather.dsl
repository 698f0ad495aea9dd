// The network of the samples, in the older format of GeNIe.
net weather
{
 HEADER = { ID = weather; NAME = "weather; {"; };
 node rain
  {
   TYPE = CPT;
   HEADER = { ID = rain; NAME = "Rain"; };
   PARENTS = ();
   DEFINITION = { NAMESTATES = (yes, no); PROBABILITIES = (0.25, 0.75); };
  };
 node sprinkler
  {
   TYPE = CPT;
   PARENTS = (rain);
   DEFINITION =
    {
     NAMESTATES = (on, low, off);
     PROBABILITIES = (0.125, 0.125, 0.75,
     0.5, 0.25, 0.25);
    };
  };
 node grass
  {
   TYPE = CPT;
   PARENTS = (rain, sprinkler);
   DEFINITION =
    {
     NAMESTATES = (wet, dry);
     PROBABILITIES = (1, 0, 0.9375, 0.0625, 0.875, 0.125, 0.75, 0.25, 0.5, 0.5, 0, 1);
    };
  };
 OBSERVATION_COST = { node rain { PARENTS = (); COSTS = (0); }; };
};
